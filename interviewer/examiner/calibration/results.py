"""Stored calibration results.

The user's own result takes precedence over the shipped one. If the prompt or the gold set has changed, no stored result
applies.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from interviewer.examiner import gold
from interviewer.examiner.examiner import Examiner
from interviewer.examiner.gold import load_gold, rubric_version
from interviewer.session.assessment import Calibration
from interviewer.session.codec import CodecError, from_plain, to_plain
from interviewer.session.question import Question

SHIPPED = "offline.json"


def load_calibration(examiner: Examiner, questions: Mapping[str, Question], file: Path) -> Calibration | None:
    """Return the user's result for this examiner if it still applies, else the shipped one if it applies, else None."""
    shipped = files(gold).joinpath(SHIPPED).read_text(encoding="utf-8")
    stored = [_read(text).get(examiner.name) for text in (_kept_text(file), shipped)]
    current = [result for result in stored if result is not None and result.version == examiner.version]
    if not current:
        return None
    rubric = rubric_version(questions, load_gold(questions))
    return next((result for result in current if result.rubric == rubric), None)


def save_calibration(result: Calibration, file: Path) -> None:
    """Save the result alongside those of other examiners. The file is replaced atomically."""
    kept = _read(_kept_text(file))
    kept[result.examiner] = result
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_suffix(".new")
    fresh.write_text(as_json(kept), encoding="utf-8")
    fresh.replace(file)


def as_json(results: Mapping[str, Calibration]) -> str:
    """Return the results in the file's JSON format."""
    return json.dumps({name: to_plain(results[name]) for name in sorted(results)}, indent=1) + "\n"


def _kept_text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else "{}"


def _read(text: str) -> dict[str, Calibration]:
    # Treat a corrupt file as no result: calibrating again is cheap, and a wrong result would be trusted.
    try:
        return {name: from_plain(Calibration, value) for name, value in json.loads(text).items()}
    except (ValueError, CodecError, AttributeError):
        return {}
