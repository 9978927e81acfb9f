"""A recorded session folds to exactly the state that was recorded; a difference means that the format changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interviewer.session.codec import from_plain
from interviewer.session.engine import fold
from interviewer.session.events import load_event
from interviewer.session.state import Session

REPLAYS = Path(__file__).parents[1] / "replays"


@pytest.mark.parametrize("name", sorted(path.stem for path in REPLAYS.glob("*.jsonl")))
def test_a_recording_replays_to_the_same_state(name: str) -> None:
    lines = (REPLAYS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    session = fold(load_event(line) for line in lines)
    recorded = json.loads((REPLAYS / f"{name}.state.json").read_text(encoding="utf-8"))
    # Read as a current state: fields that the format has gained since then have their defaults in both.
    assert session == from_plain(Session, recorded)


def test_there_are_recordings_of_both_examiners() -> None:
    first = [json.loads(path.read_text(encoding="utf-8").splitlines()[0]) for path in REPLAYS.glob("*.jsonl")]
    assert {event["examiner"].split(":")[0] for event in first} == {"offline", "llm"}
