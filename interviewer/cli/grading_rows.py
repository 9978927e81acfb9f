"""What is said of each submission of a folder, as a line, a row and an object; names and messages are others' data."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from graders.verdict import Report, Verdict, failed_cases
from interviewer.exits import BAD_INPUT, Failure
from interviewer.log.reports.csv import safe_cell
from interviewer.sanitize import one_line

UNGRADED = "ungraded"
COLUMNS = ("name", "verdict", "score", "mistake", "failing_cases", "why", "seconds", "isolation", "device", "seed")
NAME_CHARACTERS_MAX = 40
WORDS_MAX = 500
OFTEN_MAX = 5


@dataclass(frozen=True)
class Graded:
    """Hold one submission's report, or why there is none: then it is ungraded, which is no verdict and no score."""

    name: str
    report: Report | None
    why: str = ""

    @property
    def verdict(self) -> str:
        """Return the verdict, or that it is ungraded."""
        return self.report.verdict.value if self.report else UNGRADED

    @property
    def has_passed(self) -> bool:
        """Return whether it was graded and passed."""
        return self.report is not None and self.report.verdict is Verdict.PASSED

    @property
    def mistakes(self) -> str:
        """Return the ids of the mistakes that were named."""
        return " and ".join(one.id for one in self.report.mistakes) if self.report else ""


def line_of(one: Graded, width: int) -> str:
    """Return one submission in a line; names fill `width` characters."""
    name = _cut(one_line(one.name), width).ljust(width)
    score = f"{one.report.score:.2f}" if one.report else "   -"
    return f"{name}  {one.verdict:14}  {score}  {one.mistakes or one_line(one.why)}".rstrip()


def name_width(names: Sequence[str]) -> int:
    """Return how many characters names get in a line."""
    return min(NAME_CHARACTERS_MAX, max(len(one_line(name)) for name in names))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def row_of(one: Graded) -> dict[str, str]:
    """Return one submission as a row of a spreadsheet, in which no cell is a formula."""
    row = {"name": one.name, "verdict": one.verdict, "mistake": one.mistakes, "why": one.why}
    if one.report:
        failing = [case for case in one.report.cases if case.verdict is not Verdict.PASSED]
        row |= {
            "score": f"{one.report.score:.3f}",
            "failing_cases": "; ".join(f"{case.name} {case.verdict.value}" for case in failing),
            "why": _cut(failed_cases(one.report)[0].message, WORDS_MAX) if failing else "",
            "seconds": f"{one.report.seconds.get('verdict', 0.0):.2f}",
            "isolation": one.report.isolation.split(":")[0],
            "device": one.report.device,
            "seed": str(one.report.seed),
        }
    return {name: safe_cell(one_line(text)) for name, text in row.items()}


@contextmanager
def written(path: Path) -> Iterator[None]:
    """Turn what the system raises about this file into a Failure."""
    try:
        yield
    except OSError as error:
        fix = "Name a file in a folder that exists and can be written."
        raise Failure(BAD_INPUT, "output", f"{path}: {error.strerror or error}", fix) from None


class Sheet:
    """Write rows into an open CSV file, each of them whole before the next submission is graded."""

    def __init__(self, path: Path, file: TextIO) -> None:
        self._path = path
        self._file = file
        self._writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\r\n")
        with written(path):
            self._writer.writeheader()
            file.flush()

    def add(self, one: Graded) -> None:
        """Write one submission. Raises: Failure."""
        with written(self._path):
            self._writer.writerow(row_of(one))
            self._file.flush()


def object_of(one: Graded) -> dict[str, Any]:
    """Return what `grade-all --json` says of one submission."""
    report = one.report
    failing = [case for case in report.cases if case.verdict is not Verdict.PASSED] if report else []
    return {
        "name": one_line(one.name),
        "verdict": one.verdict,
        "score": report.score if report else None,
        "mistakes": [mistake.id for mistake in report.mistakes] if report else [],
        "failing_cases": [
            {
                "name": case.name,
                "verdict": case.verdict.value,
                "message": one_line(case.message),
                **({"inputs": one_line(case.inputs)} if case.inputs else {}),
            }
            for case in failing
        ],
        "why": one_line(one.why),
        "seconds": dict(report.seconds) if report else {},
        "isolation": report.isolation if report else "",
    }


def summary_object(found: Sequence[Graded]) -> dict[str, Any]:
    """Return the counts of what is known."""
    mistakes = [{"id": mistake, "wrong": wrong, "submissions": count} for (mistake, wrong), count in _mistakes(found)]
    verdicts = Counter(one.verdict for one in found)
    return {"graded": len(found) - verdicts[UNGRADED], "verdicts": dict(verdicts.most_common()), "mistakes": mistakes}


def summary_lines(found: Sequence[Graded]) -> Iterator[str]:
    """Yield the same for people."""
    passed = sum(one.has_passed for one in found)
    counts = Counter(one.verdict for one in found if not one.has_passed).most_common()
    yield f"{passed} of {len(found)} passed" + "".join(f", {count} {verdict}" for verdict, count in counts)
    mistakes = _mistakes(found)
    if mistakes:
        yield "Most frequent mistakes:"
    for (mistake, wrong), count in mistakes[:OFTEN_MAX]:
        yield f"  {count} × {mistake}: {wrong}"


def _mistakes(found: Sequence[Graded]) -> list[tuple[tuple[str, str], int]]:
    reports = [one.report for one in found if one.report]
    return Counter((mistake.id, mistake.wrong) for report in reports for mistake in report.mistakes).most_common()
