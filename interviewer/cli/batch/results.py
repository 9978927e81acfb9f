"""The result of each submission in a batch, as a line, a CSV row and a JSON object, and the totals for the batch.

Names and messages come from other people and are treated as untrusted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from graders.verdict import Report, Verdict, failed_cases
from interviewer.errors import NOT_PASSED, OK, OUR_FAILURE
from interviewer.log.reports.csv import safe_cell
from interviewer.sanitize import one_line
from interviewer.session.phrases import verdict_text

UNGRADED = "ungraded"
COLUMNS = (
    "name",
    "verdict",
    "score",
    "mistake",
    "failing_cases",
    "why",
    "seconds",
    "isolation",
    "device",
    "seed",
    "symptoms",
    "source_digest",
    "task_digest",
)
NAME_CHARACTERS_MAX = 40
WORDS_MAX = 500
OFTEN_MAX = 5
_BETWEEN_MISTAKES = " and "


@dataclass(frozen=True)
class SubmissionResult:
    """The report on a submission, or the reason it is ungraded (no verdict and no score).

    `source_digest` is "" if the file could not be read.
    """

    name: str
    report: Report | None
    why: str = ""
    source_digest: str = ""

    @property
    def verdict(self) -> str:
        """Return the verdict, or "ungraded"."""
        return self.report.verdict.value if self.report else UNGRADED

    @property
    def symptoms(self) -> str:
        """Return the symptoms of a submission that has no named mistake, as text."""
        return " ".join(symptom.says for symptom in self.report.symptoms) if self.report else ""

    @property
    def mistakes(self) -> str:
        """Return the ids of the named mistakes."""
        return _BETWEEN_MISTAKES.join(mistake.id for mistake in self.report.mistakes) if self.report else ""


@dataclass
class Tally:
    """Counts verdicts and mistakes; the size of this object does not depend on the number of submissions.

    `wrong` maps each mistake's id to its explanation.
    """

    wrong: dict[str, str] = field(default_factory=dict)
    verdicts: Counter[str] = field(default_factory=Counter)
    mistakes: Counter[str] = field(default_factory=Counter)
    isolations: set[str] = field(default_factory=set)

    def add(self, result: SubmissionResult) -> None:
        """Count a result."""
        self.add_row(result.verdict, result.mistakes)
        if result.report:
            self.isolations.add(result.report.isolation)
            self.wrong |= {mistake.id: mistake.wrong for mistake in result.report.mistakes}

    def add_row(self, verdict: str, mistakes: str) -> None:
        """Count a result that is known only from its CSV row."""
        self.verdicts[verdict] += 1
        self.mistakes.update(mistake for mistake in mistakes.split(_BETWEEN_MISTAKES) if mistake)

    @property
    def total(self) -> int:
        """Return the number of results."""
        return self.verdicts.total()

    @property
    def exit_code(self) -> int:
        """Return the exit code of a batch with these results."""
        if self.verdicts[UNGRADED]:
            return OUR_FAILURE
        return OK if self.verdicts[Verdict.PASSED.value] == self.total else NOT_PASSED

    def lines(self) -> Iterator[str]:
        """Yield the counts as text."""
        passed = self.verdicts[Verdict.PASSED.value]
        counts = (
            f", {count} {verdict if verdict == UNGRADED else verdict_text(Verdict(verdict))}"
            for verdict, count in self.verdicts.most_common()
            if verdict != Verdict.PASSED.value
        )
        yield f"{passed} of {self.total} passed" + "".join(counts)
        if self.mistakes:
            yield "Most frequent mistakes:"
        for mistake, count in self.mistakes.most_common(OFTEN_MAX):
            yield f"  {count} × {mistake}: {self.wrong.get(mistake, '')}"
        yield from (f"Isolation: {level}" for level in sorted(self.isolations))

    def to_json(self) -> dict[str, Any]:
        """Return the counts for `grade-all --json`."""
        return {
            "graded": self.total - self.verdicts[UNGRADED],
            "verdicts": dict(self.verdicts.most_common()),
            "mistakes": [
                {"id": mistake, "wrong": self.wrong.get(mistake, ""), "submissions": count}
                for mistake, count in self.mistakes.most_common()
            ],
        }


def line_of(graded: SubmissionResult, width: int) -> str:
    """Return a submission's result as a single line; names are padded to `width` characters."""
    name = _cut(one_line(graded.name), width).ljust(width)
    score = f"{graded.report.score:.2f}" if graded.report else "   -"
    return f"{name}  {graded.verdict:14}  {score}  {graded.mistakes or one_line(graded.why)}".rstrip()


def name_width(names: Sequence[str]) -> int:
    """Return the width of the name column in characters."""
    return min(NAME_CHARACTERS_MAX, max(len(one_line(name)) for name in names))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def cell_of(text: str) -> str:
    """Return the text as a CSV cell: a single line that no spreadsheet interprets as a formula."""
    return safe_cell(one_line(text))


def row_of(graded: SubmissionResult, task_digest: str = "") -> dict[str, str]:
    """Return a submission's result as a spreadsheet row."""
    row = {
        "name": graded.name,
        "verdict": graded.verdict,
        "mistake": graded.mistakes,
        "why": graded.why,
        "source_digest": graded.source_digest,
        "task_digest": task_digest,
    }
    if graded.report:
        failing = [case for case in graded.report.cases if case.verdict is not Verdict.PASSED]
        row |= {
            "score": f"{graded.report.score:.3f}",
            "failing_cases": "; ".join(f"{case.name} {case.verdict.value}" for case in failing),
            "why": _cut(failed_cases(graded.report)[0].message, WORDS_MAX) if failing else "",
            "seconds": f"{graded.report.seconds.get('verdict', 0.0):.2f}",
            "isolation": graded.report.isolation.split(":")[0],
            "device": graded.report.device,
            "seed": str(graded.report.seed),
            "symptoms": graded.symptoms,
        }
    return {name: cell_of(text) for name, text in row.items()}


def object_of(graded: SubmissionResult) -> dict[str, Any]:
    """Return the object for a submission in `grade-all --json`."""
    report = graded.report
    failing = [case for case in report.cases if case.verdict is not Verdict.PASSED] if report else []
    return {
        "name": one_line(graded.name),
        "verdict": graded.verdict,
        "score": report.score if report else None,
        "mistakes": [mistake.id for mistake in report.mistakes] if report else [],
        "symptoms": [{"id": symptom.id, "says": symptom.says} for symptom in report.symptoms] if report else [],
        "failing_cases": [
            {
                "name": case.name,
                "verdict": case.verdict.value,
                "message": one_line(case.message),
                **({"inputs": one_line(case.inputs)} if case.inputs else {}),
            }
            for case in failing
        ],
        "why": one_line(graded.why),
        "seconds": dict(report.seconds) if report else {},
        "isolation": report.isolation if report else "",
    }
