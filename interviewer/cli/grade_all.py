"""Grade all submissions in a folder on the same cases, one after another, and print each result immediately.

In Docker, the submissions share containers, in which each submission has its own user (docs/decisions/028).

The submissions are not the user's practice, so this module does not open the practice log. Names and messages come from
other people and are treated as untrusted.
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
from interviewer.cli.files import file_errors_as_bad_input, files_in, read_source, why_not_plain
from interviewer.cli.grade import tell_installation
from interviewer.cli.options import AS_JSON, DEVICE, FILE, FOLDER, SANDBOX, open_context
from interviewer.cli.output import echo, print_json
from interviewer.errors import INTERRUPTED, NOT_PASSED, OK, OUR_FAILURE, BadInput, journal
from interviewer.interview.context import AppContext
from interviewer.log.reports.csv import safe_cell
from interviewer.sanitize import one_line
from tasks.task import Task

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
)
NAME_CHARACTERS_MAX = 40
WORDS_MAX = 500
OFTEN_MAX = 5


@click.command("grade-all")
@click.argument("task")
@click.argument("folder", type=FOLDER)
@click.option(
    "--csv", "csv_file", type=FILE, metavar="FILE", help="Write one row per submission as soon as it is graded."
)
@DEVICE
@SANDBOX
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    help="Seed for the test cases. Default: a new random seed, the same for all files.",
)
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
    """Grade every *.py in FOLDER, one at a time, all on the same cases. Hidden files are skipped.

    Exits with 0 if all passed, 1 if some did not, 3 if any could not be graded. A file that cannot be graded is marked
    ungraded, and grading continues with the next file. Ctrl+C stops and keeps the results so far. Nothing is saved to
    your practice log.
    """
    with open_context(sandbox=sandbox) as context:
        batch = BatchGrader(
            context, context.task(task, device), device, secrets.randbelow(2**31) if seed is None else seed
        )
        files = files_in(folder, ".py")
        if csv_file and csv_file.resolve() in {file.resolve() for file in files}:
            raise BadInput(f"--csv {csv_file} is one of the submissions", "Choose a different file.", "output")
        with _open_csv(csv_file) as writer:
            settings = context.settings
            tell_installation()
            context.grader_client.start()
            on = f"all on the cases of seed {batch.seed}, {settings.sandbox}"
            heading = f"{batch.task.title}: {len(files)} files, {on}"
            click.echo(heading, err=as_json)
            _grade_files(batch, files, writer, as_json=as_json)
    if as_json:
        print_json(_object(batch, len(files)))
    else:
        echo("\n".join(_summary(batch, len(files))))
    return _exit_code(batch)


@dataclass(frozen=True)
class SubmissionResult:
    """The report of a submission, or the reason it is ungraded (no verdict and no score)."""

    name: str
    report: Report | None
    why: str = ""

    @property
    def verdict(self) -> str:
        """Return the verdict, or "ungraded"."""
        return self.report.verdict.value if self.report else UNGRADED

    @property
    def has_passed(self) -> bool:
        """Return whether the submission was graded and passed."""
        return self.report is not None and self.report.verdict is Verdict.PASSED

    @property
    def symptoms(self) -> str:
        """Return the symptoms of a submission without a named mistake, as text."""
        return " ".join(symptom.says for symptom in self.report.symptoms) if self.report else ""

    @property
    def mistakes(self) -> str:
        """Return the ids of the named mistakes."""
        return " and ".join(mistake.id for mistake in self.report.mistakes) if self.report else ""


@dataclass
class BatchGrader:
    """A batch of submissions: where they run, the seed that they share, and the results so far."""

    context: AppContext
    task: Task
    device: str
    seed: int
    graded: list[SubmissionResult] = field(default_factory=list)
    is_stopped: bool = False
    _recorded: dict[str, str] = field(default_factory=dict)

    def grade(self, file: Path) -> SubmissionResult:
        """Grade a file. If the grader itself fails, the file is ungraded and the failure is the reason."""
        if why := why_not_plain(file):
            return SubmissionResult(file.name, None, why)
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
                is_batch=True,
            )
        except BadInput as error:
            return SubmissionResult(file.name, None, str(error).removeprefix(f"{file}: "))
        except GradingError as error:
            return SubmissionResult(file.name, None, self._record(error))
        return SubmissionResult(file.name, report)

    def _record(self, error: GradingError) -> str:
        """Return the text of a grader failure; identical failures of several submissions are recorded only once."""
        text = f"{error.message} {error.fix}"
        if text not in self._recorded:
            self._recorded[text] = journal.record(error)
        return text + (f" Error {self._recorded[text]}." if self._recorded[text] else "")


def _grade_files(batch: BatchGrader, files: Sequence[Path], writer: CsvWriter | None, *, as_json: bool) -> None:
    width = name_width([file.name for file in files])
    try:
        for file in files:
            graded = batch.grade(file)
            if writer:
                writer.add(graded)
            batch.graded.append(graded)
            # On standard error if standard output is reserved for a JSON object.
            click.echo(line_of(graded, width), err=as_json)
    except KeyboardInterrupt:
        batch.is_stopped = True


@contextmanager
def _open_csv(path: Path | None) -> Iterator[CsvWriter | None]:
    """Open the CSV file before grading, so that a bad path is reported before any work is done."""
    if path is None:
        yield None
        return
    with file_errors_as_bad_input(path):
        # With a byte order mark, spreadsheets detect UTF-8.
        file = path.open("w", encoding="utf-8-sig", newline="")
    # Outside `file_errors_as_bad_input`: a broken pipe on standard output is also an OSError, but not this file's
    # error.
    with file:
        yield CsvWriter(path, file)


def _summary(batch: BatchGrader, count: int) -> Iterator[str]:
    yield ""
    if batch.is_stopped:
        yield f"Stopped after {len(batch.graded)} of {count}."
    yield from summary_lines(batch.graded)
    isolations = {graded.report.isolation for graded in batch.graded if graded.report}
    yield from (f"Isolation: {level}" for level in sorted(isolations))
    yield f"Use --seed {batch.seed} to get the same cases again. None of this is saved to your practice log."


def _object(batch: BatchGrader, count: int) -> dict[str, object]:
    return {
        "task": batch.task.id,
        "device": batch.device,
        "sandbox": batch.context.settings.sandbox,
        "seed": batch.seed,
        "files": count,
        "is_stopped": batch.is_stopped,
        **summary_object(batch.graded),
        "submissions": [object_of(graded) for graded in batch.graded],
    }


def _exit_code(batch: BatchGrader) -> int:
    if batch.is_stopped:
        return INTERRUPTED
    if any(graded.report is None for graded in batch.graded):
        return OUR_FAILURE
    return OK if all(graded.has_passed for graded in batch.graded) else NOT_PASSED


class CsvWriter:
    """Write rows to an open CSV file; each row is complete before the next submission is graded."""

    def __init__(self, path: Path, file: TextIO) -> None:
        self._path = path
        self._file = file
        self._writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\r\n")
        with file_errors_as_bad_input(path):
            self._writer.writeheader()
            file.flush()

    def add(self, graded: SubmissionResult) -> None:
        """Write a row for a submission. Raises: BadInput."""
        with file_errors_as_bad_input(self._path):
            self._writer.writerow(row_of(graded))
            self._file.flush()


def line_of(graded: SubmissionResult, width: int) -> str:
    """Return a submission as a single line; names are padded to `width` characters."""
    name = _cut(one_line(graded.name), width).ljust(width)
    score = f"{graded.report.score:.2f}" if graded.report else "   -"
    return f"{name}  {graded.verdict:14}  {score}  {graded.mistakes or one_line(graded.why)}".rstrip()


def name_width(names: Sequence[str]) -> int:
    """Return the width of the name column in characters."""
    return min(NAME_CHARACTERS_MAX, max(len(one_line(name)) for name in names))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def row_of(graded: SubmissionResult) -> dict[str, str]:
    """Return a submission as a row for a spreadsheet; no cell can be interpreted as a formula."""
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
            "symptoms": graded.symptoms,
        }
    return {name: safe_cell(one_line(text)) for name, text in row.items()}


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


def summary_object(submissions: Sequence[SubmissionResult]) -> dict[str, Any]:
    """Return the counts of verdicts and mistakes."""
    mistakes = [
        {"id": mistake, "wrong": wrong, "submissions": count} for (mistake, wrong), count in _mistakes(submissions)
    ]
    verdicts = Counter(graded.verdict for graded in submissions)
    return {
        "graded": len(submissions) - verdicts[UNGRADED],
        "verdicts": dict(verdicts.most_common()),
        "mistakes": mistakes,
    }


def summary_lines(submissions: Sequence[SubmissionResult]) -> Iterator[str]:
    """Yield the counts of verdicts and mistakes as text."""
    passed = sum(graded.has_passed for graded in submissions)
    counts = Counter(graded.verdict for graded in submissions if not graded.has_passed).most_common()
    yield f"{passed} of {len(submissions)} passed" + "".join(f", {count} {verdict}" for verdict, count in counts)
    mistakes = _mistakes(submissions)
    if mistakes:
        yield "Most frequent mistakes:"
    for (mistake, wrong), count in mistakes[:OFTEN_MAX]:
        yield f"  {count} × {mistake}: {wrong}"


def _mistakes(submissions: Sequence[SubmissionResult]) -> list[tuple[tuple[str, str], int]]:
    reports = [graded.report for graded in submissions if graded.report]
    return Counter((mistake.id, mistake.wrong) for report in reports for mistake in report.mistakes).most_common()
