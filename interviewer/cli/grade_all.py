"""Grade every submission in a folder: one worker, one seed, one after the other, each printed at once.

What others sent in is nobody's practice: nothing here opens the practice log. Names and messages are others' data.
"""

from __future__ import annotations

import csv
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import click

from graders.errors import GradingError
from graders.verdict import Report, Verdict, failed_cases
from interviewer.cli.files import files_in, read_source, why_not_plain, writing
from interviewer.cli.options import AS_JSON, DEVICE, FILE, FOLDER, SANDBOX, open_context
from interviewer.cli.output import print_json, say
from interviewer.errors import INTERRUPTED, NOT_PASSED, OK, OUR_FAILURE, BadInput, journal
from interviewer.interview.context import AppContext
from interviewer.log.reports.csv import safe_cell
from interviewer.sanitize import one_line
from tasks.task import Task

UNGRADED = "ungraded"
COLUMNS = ("name", "verdict", "score", "mistake", "failing_cases", "why", "seconds", "isolation", "device", "seed")
NAME_CHARACTERS_MAX = 40
WORDS_MAX = 500
OFTEN_MAX = 5


@click.command("grade-all")
@click.argument("task")
@click.argument("folder", type=FOLDER)
@click.option("--csv", "csv_file", type=FILE, metavar="FILE", help="Write a row for each submission as it is known.")
@DEVICE
@SANDBOX
@click.option("--seed", type=click.IntRange(min=0), help="Draw the same cases again; without it a fresh one for all.")
@AS_JSON
def grade_all(
    task: str,
    folder: Path,
    csv_file: Path | None,
    device: str,
    sandbox: str | None,
    seed: int | None,
    as_json: bool,
) -> int:
    """Grade every *.py in FOLDER, one after the other, all on the same cases; hidden files are passed over.

    Exit code 0 when all passed, 1 when some did not, 3 when any could not be graded: that one is ungraded and the rest
    go on. Ctrl+c stops and keeps what is known. Nothing of this enters your practice log.
    """
    with open_context(sandbox=sandbox) as context:
        round_ = Round(context, context.task(task, device), device, secrets.randbelow(2**31) if seed is None else seed)
        files = files_in(folder, ".py")
        if csv_file and csv_file.resolve() in {file.resolve() for file in files}:
            raise BadInput(f"--csv {csv_file} is a submission", "Name another file.", "output")
        with _sheet(csv_file) as sheet:
            settings = context.settings
            context.grader_client.start(settings.sandbox, settings.image)
            context.grader_client.prepare(str(round_.task.folder))
            heading = f"{task}: {len(files)} files, each on the cases of seed {round_.seed}, {settings.sandbox}"
            click.echo(heading, err=as_json)
            _grade_files(round_, files, sheet, as_json=as_json)
    if as_json:
        print_json(_object(round_, len(files)))
    else:
        say("\n".join(_summary(round_, len(files))))
    return _exit_code(round_)


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
        return " and ".join(mistake.id for mistake in self.report.mistakes) if self.report else ""


@dataclass
class Round:
    """Hold one round of grading: where it runs, the seed that all submissions share, and what is graded so far."""

    context: AppContext
    task: Task
    device: str
    seed: int
    graded: list[Graded] = field(default_factory=list)
    is_stopped: bool = False
    _recorded: dict[str, str] = field(default_factory=dict)

    def grade(self, file: Path) -> Graded:
        """Return what came of one file; our own failure is the reason why it is ungraded."""
        if why := why_not_plain(file):
            return Graded(file.name, None, why)
        settings = self.context.settings
        try:
            source = read_source(file)
            report = self.context.grader_client.grade(
                str(self.task.folder),
                source,
                device=self.device,
                sandbox=settings.sandbox,
                image=settings.image,
                seed=self.seed,
            )
        except BadInput as error:
            return Graded(file.name, None, str(error).removeprefix(f"{file}: "))
        except GradingError as error:
            return Graded(file.name, None, self._record(error))
        return Graded(file.name, report)

    def _record(self, error: GradingError) -> str:
        """Return the text of our own failure; the same one is recorded once, however many submissions it affects."""
        text = f"{error.message} {error.fix}"
        if text not in self._recorded:
            self._recorded[text] = journal.record(error)
        return text + (f" Error {self._recorded[text]}." if self._recorded[text] else "")


def _grade_files(round_: Round, files: Sequence[Path], sheet: Sheet | None, *, as_json: bool) -> None:
    width = name_width([file.name for file in files])
    try:
        for file in files:
            graded = round_.grade(file)
            if sheet:
                sheet.add(graded)
            round_.graded.append(graded)
            # On standard error where standard output is kept for one object.
            click.echo(line_of(graded, width), err=as_json)
    except KeyboardInterrupt:
        round_.is_stopped = True


@contextmanager
def _sheet(path: Path | None) -> Iterator[Sheet | None]:
    """Open the CSV file before anything is graded: a place that cannot be written costs no grade."""
    if path is None:
        yield None
        return
    with writing(path):
        # The mark in front lets spreadsheets see that it is UTF-8.
        file = path.open("w", encoding="utf-8-sig", newline="")
    # Not inside `writing`: a reader of our output that goes away raises an OSError too, and the file is well.
    with file:
        yield Sheet(path, file)


def _summary(round_: Round, count: int) -> Iterator[str]:
    yield ""
    if round_.is_stopped:
        yield f"Stopped after {len(round_.graded)} of {count}."
    yield from summary_lines(round_.graded)
    isolations = {graded.report.isolation for graded in round_.graded if graded.report}
    yield from (f"Isolation: {level}" for level in sorted(isolations))
    yield f"--seed {round_.seed} draws the same cases again. Nothing of this is in your practice log."


def _object(round_: Round, count: int) -> dict[str, object]:
    return {
        "task": round_.task.id,
        "device": round_.device,
        "sandbox": round_.context.settings.sandbox,
        "seed": round_.seed,
        "files": count,
        "is_stopped": round_.is_stopped,
        **summary_object(round_.graded),
        "submissions": [object_of(graded) for graded in round_.graded],
    }


def _exit_code(round_: Round) -> int:
    if round_.is_stopped:
        return INTERRUPTED
    if any(graded.report is None for graded in round_.graded):
        return OUR_FAILURE
    return OK if all(graded.has_passed for graded in round_.graded) else NOT_PASSED


class Sheet:
    """Write rows into an open CSV file, each of them whole before the next submission is graded."""

    def __init__(self, path: Path, file: TextIO) -> None:
        self._path = path
        self._file = file
        self._writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\r\n")
        with writing(path):
            self._writer.writeheader()
            file.flush()

    def add(self, graded: Graded) -> None:
        """Write one submission. Raises: BadInput."""
        with writing(self._path):
            self._writer.writerow(row_of(graded))
            self._file.flush()


def line_of(graded: Graded, width: int) -> str:
    """Return one submission in a line; names fill `width` characters."""
    name = _cut(one_line(graded.name), width).ljust(width)
    score = f"{graded.report.score:.2f}" if graded.report else "   -"
    return f"{name}  {graded.verdict:14}  {score}  {graded.mistakes or one_line(graded.why)}".rstrip()


def name_width(names: Sequence[str]) -> int:
    """Return how many characters names get in a line."""
    return min(NAME_CHARACTERS_MAX, max(len(one_line(name)) for name in names))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def row_of(graded: Graded) -> dict[str, str]:
    """Return one submission as a row of a spreadsheet, in which no cell is a formula."""
    row = {"name": graded.name, "verdict": graded.verdict, "mistake": graded.mistakes, "why": graded.why}
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
        }
    return {name: safe_cell(one_line(text)) for name, text in row.items()}


def object_of(graded: Graded) -> dict[str, Any]:
    """Return what `grade-all --json` says of one submission."""
    report = graded.report
    failing = [case for case in report.cases if case.verdict is not Verdict.PASSED] if report else []
    return {
        "name": one_line(graded.name),
        "verdict": graded.verdict,
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
        "why": one_line(graded.why),
        "seconds": dict(report.seconds) if report else {},
        "isolation": report.isolation if report else "",
    }


def summary_object(submissions: Sequence[Graded]) -> dict[str, Any]:
    """Return the counts of what is known."""
    mistakes = [
        {"id": mistake, "wrong": wrong, "submissions": count} for (mistake, wrong), count in _mistakes(submissions)
    ]
    verdicts = Counter(graded.verdict for graded in submissions)
    return {
        "graded": len(submissions) - verdicts[UNGRADED],
        "verdicts": dict(verdicts.most_common()),
        "mistakes": mistakes,
    }


def summary_lines(submissions: Sequence[Graded]) -> Iterator[str]:
    """Yield the same for people."""
    passed = sum(graded.has_passed for graded in submissions)
    counts = Counter(graded.verdict for graded in submissions if not graded.has_passed).most_common()
    yield f"{passed} of {len(submissions)} passed" + "".join(f", {count} {verdict}" for verdict, count in counts)
    mistakes = _mistakes(submissions)
    if mistakes:
        yield "Most frequent mistakes:"
    for (mistake, wrong), count in mistakes[:OFTEN_MAX]:
        yield f"  {count} × {mistake}: {wrong}"


def _mistakes(submissions: Sequence[Graded]) -> list[tuple[tuple[str, str], int]]:
    reports = [graded.report for graded in submissions if graded.report]
    return Counter((mistake.id, mistake.wrong) for report in reports for mistake in report.mistakes).most_common()
