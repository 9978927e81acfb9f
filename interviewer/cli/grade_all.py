"""What `grade-all` does once it is parsed: one worker, one seed, one submission after the other, each told at once.

What others sent in is nobody's practice: nothing here opens the practice log.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import click

from graders.client import GradingError
from interviewer.cli.commands import failures
from interviewer.cli.files import files_in, why_not_plain
from interviewer.cli.grading_rows import (
    Graded,
    Sheet,
    line_of,
    name_width,
    object_of,
    summary_lines,
    summary_object,
    written,
)
from interviewer.cli.log import say
from interviewer.cli.plain.interview import read_source
from interviewer.errors import BadInput, journal
from interviewer.exits import BAD_INPUT, INTERRUPTED, NOT_PASSED, OK, OUR_FAILURE, Failure, print_json
from interviewer.interview.context import Kit
from tasks.task import Task


@dataclass
class Round:
    """Hold one round of grading: where it runs, the seed that all submissions share, and what is known so far."""

    kit: Kit
    task: Task
    device: str
    seed: int
    known: list[Graded] = field(default_factory=list)
    is_stopped: bool = False
    _kept: dict[str, str] = field(default_factory=dict)

    def grade(self, file: Path) -> Graded:
        """Return what came of one file; our own failure is told as the reason why it is ungraded."""
        if why := why_not_plain(file):
            return Graded(file.name, None, why)
        settings = self.kit.settings
        try:
            source = read_source(file)
            report = self.kit.grader_client.grade(
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
            return Graded(file.name, None, self._told(error))
        return Graded(file.name, report)

    def _told(self, error: GradingError) -> str:
        """Return a failure of ours in words; the same one is kept once, however many submissions it hits."""
        said = f"{error.message} {error.fix}"
        if said not in self._kept:
            self._kept[said] = journal.record(error)
        return said + (f" Error {self._kept[said]}." if self._kept[said] else "")


def grade_all(
    kit: Kit, task: str, folder: Path, csv_file: Path | None, *, device: str, seed: int | None, as_json: bool
) -> int:
    """Grade every Python file of a folder and print a line for each, then the counts."""
    with failures():
        found = kit.task(task, device)
    files = files_in(folder, ".py")
    if csv_file and csv_file.resolve() in {one.resolve() for one in files}:
        raise Failure(BAD_INPUT, "output", f"--csv {csv_file} is a submission", "Name another file.")
    round_ = Round(kit, found, device, secrets.randbelow(2**31) if seed is None else seed)
    with _sheet(csv_file) as sheet:
        kit.grader_client.start(kit.settings.sandbox, kit.settings.image)
        kit.grader_client.prepare(str(found.folder))
        heading = f"{task}: {len(files)} files, each on the cases of seed {round_.seed}, {kit.settings.sandbox}"
        click.echo(heading, err=as_json)
        _go_through(round_, files, sheet, as_json=as_json)
    if as_json:
        print_json(_object(round_, len(files)))
    else:
        say("\n".join(_summary(round_, len(files))))
    return _code(round_)


def _go_through(round_: Round, files: Sequence[Path], sheet: Sheet | None, *, as_json: bool) -> None:
    width = name_width([file.name for file in files])
    try:
        for file in files:
            one = round_.grade(file)
            if sheet:
                sheet.add(one)
            round_.known.append(one)
            # On standard error where standard output is kept for one object.
            click.echo(line_of(one, width), err=as_json)
    except KeyboardInterrupt:
        round_.is_stopped = True


@contextmanager
def _sheet(path: Path | None) -> Iterator[Sheet | None]:
    """Open the CSV file before anything is graded: a place that cannot be written costs no grade."""
    if path is None:
        yield None
        return
    with written(path):
        # The mark in front lets spreadsheets see that it is UTF-8.
        file = path.open("w", encoding="utf-8-sig", newline="")
    # Not inside `written`: a reader of our output that goes away raises an OSError too, and the file is well.
    with file:
        yield Sheet(path, file)


def _summary(round_: Round, count: int) -> Iterator[str]:
    yield ""
    if round_.is_stopped:
        yield f"Stopped after {len(round_.known)} of {count}."
    yield from summary_lines(round_.known)
    isolation = {one.report.isolation for one in round_.known if one.report}
    yield from (f"Isolation: {one}" for one in sorted(isolation))
    yield f"--seed {round_.seed} draws the same cases again. Nothing of this is in your practice log."


def _object(round_: Round, count: int) -> dict[str, object]:
    return {
        "task": round_.task.id,
        "device": round_.device,
        "sandbox": round_.kit.settings.sandbox,
        "seed": round_.seed,
        "files": count,
        "is_stopped": round_.is_stopped,
        **summary_object(round_.known),
        "submissions": [object_of(one) for one in round_.known],
    }


def _code(round_: Round) -> int:
    if round_.is_stopped:
        return INTERRUPTED
    if any(one.report is None for one in round_.known):
        return OUR_FAILURE
    return OK if all(one.has_passed for one in round_.known) else NOT_PASSED
