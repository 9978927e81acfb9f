"""Grade all submissions in a folder on the same cases and print each result immediately.

Submissions are graded one after another on this machine or, with --on, on the nodes of a Ray cluster. In Docker,
submissions share containers, in which each submission has its own user (docs/decisions/028).

The submissions are not the user's practice, so this module does not open the practice log. Names and messages come from
other people and are treated as untrusted.
"""

from __future__ import annotations

import json
import secrets
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import click

from graders.errors import GradingError
from graders.verdict import Report
from interviewer.cli.batch.csv_file import CsvFile, Earlier, read_earlier
from interviewer.cli.batch.dispatch import Dispatcher, Graded, Submission
from interviewer.cli.batch.node import Setup, versions
from interviewer.cli.batch.progress import Progress
from interviewer.cli.batch.results import SubmissionResult, Tally, line_of, name_width, object_of
from interviewer.cli.batch.task_files import TaskFiles, digest_of
from interviewer.cli.files import files_in, read_source, why_not_plain
from interviewer.cli.grade import tell_installation
from interviewer.cli.options import AS_JSON, DEVICE, FILE, FOLDER, SANDBOX, SEED_MAX, FileName, open_context
from interviewer.cli.output import echo, unread_output_discarded
from interviewer.errors import INTERRUPTED, OUR_FAILURE, BadInput, InterviewerError, journal
from interviewer.interview.context import AppContext
from interviewer.session.phrases import pluralize
from tasks.task import Task

GradeMany = Callable[[Iterator[Submission]], Iterator[Graded]]
WORKERS_MAX = 64


@click.command("grade-all")
@click.argument("task")
@click.argument("folder", type=FOLDER)
@click.option(
    "--csv", "csv_file", type=FILE, metavar="FILE", help="Write a row to FILE as soon as each submission is graded."
)
@click.option(
    "--resume",
    type=FileName(exists=True, dir_okay=False),
    metavar="FILE",
    help="Continue from a CSV file: grade files that are missing, ungraded or changed, on the same cases.",
)
@click.option(
    "--on",
    metavar="CLUSTER",
    help="Grade with Ray. ray: start Ray on this machine; ray://HOST:10001: use a running cluster.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, WORKERS_MAX),
    metavar="N",
    help="With --on: grading workers per node. Default: half of the node's CPU cores.",
)
@DEVICE
@SANDBOX
@click.option(
    "--seed",
    type=click.IntRange(0, SEED_MAX),
    help="Seed for the test cases. Default: a new random seed, the same for all files.",
)
@AS_JSON
def grade_all(
    task: str,
    folder: Path,
    csv_file: Path | None,
    resume: Path | None,
    on: str | None,
    workers: int | None,
    device: str,
    sandbox: str | None,
    seed: int | None,
    as_json: bool,
) -> int:
    """Grade every *.py in FOLDER, all on the same cases. Hidden files are skipped.

    Exits with 0 if all passed, 1 if some did not, 3 if any could not be graded. A file that cannot be graded is marked
    ungraded, and grading continues with the next file. Ctrl+C stops the grading and keeps the results
    so far. Nothing is saved to your practice log.
    """
    _check_options(csv_file, resume, on, workers, device)
    with open_context(sandbox=sandbox) as context:
        batch = Batch(context, context.task(task, device), device, files_in(folder, ".py"), on or "", workers or 0)
        with batch.open_results(csv_file, resume, seed):
            count = pluralize(len(batch.files), "file")
            heading = f"{batch.task.title}: {count}, all graded on the cases for seed {batch.seed}, "
            click.echo(heading + ", ".join(part for part in (context.settings.sandbox, on) if part), err=as_json)
            batch.run(as_json=as_json)
            if as_json:
                with unread_output_discarded():
                    batch.print_object()
    if not as_json:
        with unread_output_discarded():
            echo("\n".join(batch.summary()))
    return batch.exit_code


def _check_options(
    csv_file: Path | None, resume: Path | None, on: str | None, workers: int | None, device: str
) -> None:
    if csv_file and resume:
        raise BadInput("--resume appends to the CSV file that you pass to it", "Leave out --csv.", "usage")
    if on and not (on == "ray" or on.startswith("ray://")):
        raise BadInput(f"--on {on} is neither ray nor ray://HOST:PORT", "Example: --on ray://head:10001", "usage")
    if workers and not on:
        raise BadInput("--workers needs --on", "Add --on ray to use several grading workers on this machine.", "usage")
    if on and device != "cpu":
        raise BadInput(f"--on cannot grade with --device {device}", "Leave out --on or --device.", "usage")


@dataclass
class Batch:
    """A batch of submissions: where they run, the seed that they share, and the counts of the results so far."""

    context: AppContext
    task: Task
    device: str
    files: Sequence[Path]
    on: str
    workers: int
    seed: int = 0
    why_stopped: str = ""
    is_interrupted: bool = False
    _earlier: Earlier | None = None
    _csv: CsvFile | None = None
    _objects: TextIO | None = None
    _recorded: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.task_files = TaskFiles.read(self.task.folder)
        self._left = iter(self.files)
        self.tally = Tally({mistake.id: mistake.wrong for mistake in self.task.mistakes})

    @contextmanager
    def open_results(self, csv_file: Path | None, resume: Path | None, seed: int | None) -> Iterator[None]:
        """Choose the seed and open the result files before any work is done.

        Raises BadInput if a file cannot be used.
        """
        names = [file.name for file in self.files]
        path = resume or csv_file
        if path and path.resolve() in {file.resolve() for file in self.files}:
            raise BadInput(f"{path} is one of the submissions to grade", "Choose a different file.", "output")
        if resume:
            self._earlier = read_earlier(resume, names, self.task_files.digest)
            known = self._earlier.seed
            if None not in (seed, known) and seed != known:
                raise BadInput(f"{resume} has seed {known}", "Leave out --seed.", "resume")
            if self._earlier.device not in ("", self.device):
                raise BadInput(
                    f"{resume} is for --device {self._earlier.device}",
                    f"Pass --device {self._earlier.device}.",
                    "resume",
                )
            seed = known if known is not None else seed
        self.seed = secrets.randbelow(2**31) if seed is None else seed
        with ExitStack() as stack:
            # Results are kept on disk, because the JSON object is printed only at the end, and a large batch does not
            # fit in memory.
            self._objects = stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8"))
            if path:
                open_file = CsvFile.append if resume else CsvFile.create
                self._csv = open_file(path, self.task_files.digest)
                stack.callback(self._csv.close, names)
            yield

    def run(self, *, as_json: bool) -> None:
        """Grade all files and print a line for each; ctrl+c or a cluster failure ends the batch early.

        The batch also ends early if the program that reads the output has exited.
        """
        width = name_width([file.name for file in self.files])
        progress = Progress(len(self.files) - (len(self._earlier.graded) if self._earlier else 0))
        try:
            with closing(self._results(lambda line: echo(line, is_error=True))) as results:
                for graded in results:
                    self._keep(graded, is_object_needed=as_json)
                    # Print to standard error if standard output is reserved for a JSON object.
                    click.echo(line_of(graded, width), err=as_json)
                    if line := progress.add():
                        click.echo(line, err=True)
        except (KeyboardInterrupt, BrokenPipeError):
            self.is_interrupted = True
        except InterviewerError as error:
            # If the cluster was lost, show the results so far. If the address or an output path is invalid, there are
            # no results.
            if error.kind != "cluster" or isinstance(error, BadInput):
                raise
            self.why_stopped = f"{error.message}. {error.fix}" + journal.id_note(error)
        if self.is_stopped:
            self._count_earlier()

    def _count_earlier(self) -> None:
        """Count the earlier results of the files that the batch did not reach."""
        for _ in self._submissions(deque()):
            pass

    def _keep(self, graded: SubmissionResult, *, is_object_needed: bool) -> None:
        if self._csv:
            self._csv.add(graded)
        self.tally.add(graded)
        if is_object_needed:
            assert self._objects is not None
            self._objects.write(json.dumps(object_of(graded), allow_nan=False) + "\n")

    def _results(self, tell: Callable[[str], None]) -> Generator[SubmissionResult, None, None]:
        """Yield the results in arrival order."""
        unreadable: deque[SubmissionResult] = deque()
        todo = self._submissions(unreadable)
        first = next(todo, None)
        if first is not None:
            with self._graders(tell) as grade_many:
                for submission, answer in grade_many(_chain(first, todo)):
                    # Files are read in advance, so a later one may already be in the queue.
                    while unreadable and unreadable[0].name < submission.name:
                        yield unreadable.popleft()
                    yield self._result(submission, answer)
        yield from unreadable

    def _submissions(self, unreadable: deque[SubmissionResult]) -> Iterator[Submission]:
        """Yield the submissions to grade, reading each when it is needed; collect files that are not source files.

        A second call continues with the files that the first call did not reach.
        """
        for file in self._left:
            if why := why_not_plain(file):
                unreadable.append(SubmissionResult(file.name, None, why))
                continue
            try:
                source = read_source(file)
            except BadInput as error:
                unreadable.append(SubmissionResult(file.name, None, str(error).removeprefix(f"{file}: ")))
                continue
            digest = digest_of(source.encode())
            earlier = self._earlier.find(file.name, digest) if self._earlier else None
            if earlier:
                self.tally.add_row(*earlier)
            else:
                yield Submission(file.name, source, digest)

    @contextmanager
    def _graders(self, tell: Callable[[str], None]) -> Iterator[GradeMany]:
        """Start the graders: this machine's grading worker, or the nodes of a cluster."""
        settings = self.context.settings
        if not self.on:
            tell_installation()
            self.context.grader_client.start()
            yield self._grade_here
            return
        try:
            from interviewer.cli.batch.ray_cluster import RayNodes, connected
        except ImportError as error:
            fix = "Install it with pip install 'interviewer[cluster]', or leave out --on."
            raise BadInput(f"--on needs Ray, which cannot be imported: {error}", fix, "cluster") from None
        setup = Setup(self.seed, settings.sandbox, settings.image, self.task_files.digest, versions())
        with connected(self.on):
            nodes = RayNodes(setup, self.task_files, self.workers)
            try:
                yield Dispatcher(nodes, tell).run
            finally:
                nodes.close()

    def _grade_here(self, submissions: Iterator[Submission]) -> Iterator[Graded]:
        """Yield each submission with its report, or with the grader's failure, in order."""
        settings = self.context.settings
        sent: deque[Submission] = deque()

        def sources() -> Iterator[str]:
            for submission in submissions:
                sent.append(submission)
                yield submission.source

        reports = self.context.grader_client.grade_many(
            str(self.task.folder),
            sources(),
            device=self.device,
            sandbox=settings.sandbox,
            image=settings.image,
            seed=self.seed,
        )
        return ((sent.popleft(), report) for report in reports)

    def _result(self, submission: Submission, answer: Report | GradingError) -> SubmissionResult:
        if isinstance(answer, Report):
            return SubmissionResult(submission.name, answer, "", submission.digest)
        return SubmissionResult(submission.name, None, self._record(answer), submission.digest)

    def _record(self, error: GradingError) -> str:
        """Return a grader failure as text; a failure shared by several submissions is recorded only once."""
        text = f"{error.message} {error.fix}"
        if text not in self._recorded:
            self._recorded[text] = journal.record(error)
        return text + (f" Error {self._recorded[text]}." if self._recorded[text] else "")

    @property
    def is_stopped(self) -> bool:
        """Return whether the batch ended before all files were graded."""
        return self.is_interrupted or bool(self.why_stopped)

    @property
    def exit_code(self) -> int:
        """Return the exit code of the command."""
        if self.is_interrupted:
            return INTERRUPTED
        return OUR_FAILURE if self.why_stopped else self.tally.exit_code

    def summary(self) -> Iterator[str]:
        """Yield the counts, and lines that say how to continue or repeat the batch."""
        yield ""
        if self.is_stopped:
            reason = f": {self.why_stopped}" if self.why_stopped else "."
            yield f"Stopped after {self.tally.total} of {len(self.files)}{reason}"
        yield from self.tally.lines()
        yield f"Use --seed {self.seed} to get the same cases again. Nothing is saved to your practice log."

    def print_object(self) -> None:
        """Print the JSON object; the submissions' objects are copied from a temporary file one at a time."""
        assert self._objects is not None
        head: dict[str, Any] = {
            "task": self.task.id,
            "device": self.device,
            "sandbox": self.context.settings.sandbox,
            "on": self.on,
            "seed": self.seed,
            "files": len(self.files),
            "is_stopped": self.is_stopped,
            "why_stopped": self.why_stopped,
            **self.tally.to_json(),
        }
        sys.stdout.write(json.dumps(head, allow_nan=False)[:-1] + ', "submissions": [')
        self._objects.seek(0)
        for place, line in enumerate(self._objects):
            sys.stdout.write((", " if place else "") + line.rstrip("\n"))
        sys.stdout.write("]}\n")


def _chain(first: Submission, rest: Iterator[Submission]) -> Iterator[Submission]:
    yield first
    yield from rest
