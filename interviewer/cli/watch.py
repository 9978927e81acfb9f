"""Grade a file on every completed save; if it is missing or does not parse, wait for the next save."""

from __future__ import annotations

import math
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from graders.errors import GradingError
from interviewer.cli.files import read_source
from interviewer.cli.grade import log_attempt, report_text, tell_installation
from interviewer.cli.options import DEVICE, FILE, SANDBOX, open_context
from interviewer.cli.output import echo
from interviewer.errors import OK, BadInput
from interviewer.interview.context import AppContext
from tasks.task import Task

POLL_SECONDS = 0.2
# Editors save in several steps (truncate, write, rename): a save is complete once the file has been unchanged for this
# long.
SETTLE_SECONDS = 0.3


@dataclass(frozen=True)
class FileState:
    """The state of a file: its source, or the reason it cannot be graded."""

    source: str
    problem: str = ""


@click.command()
@click.argument("task")
@click.argument("file", type=FILE)
@DEVICE
@SANDBOX
def watch(task: str, file: Path, device: str, sandbox: str | None) -> int:
    """Grade FILE on every save. Stop with Ctrl+C."""
    with open_context(sandbox=sandbox) as context:
        known = context.task(task, device)
        context.grader_client.start(context.settings.sandbox, context.settings.image)
        context.grader_client.prepare(str(known.folder), device)
        context.stays_warm = True
        echo(f"Watching {file} for “{known.title}”. Save the file to grade it. Stop with Ctrl+C.")
        for saved in watch_file(file):
            click.echo(f"\n{time.strftime('%H:%M:%S')} ", nl=False)
            if saved.problem:
                echo(saved.problem)
            else:
                _grade_saved(context, known, saved, device)
    return OK


def _grade_saved(context: AppContext, task: Task, saved: FileState, device: str) -> None:
    tell_installation()
    click.echo("grading …")
    settings = context.settings
    try:
        report = context.grader_client.grade(
            str(task.folder), saved.source, device=device, sandbox=settings.sandbox, image=settings.image
        )
    except GradingError as error:
        # A grader failure may be temporary: the Docker engine may be running by the next save.
        click.echo(f"The grader failed, not your code: {error.message} {error.fix}")
        return
    # Log the attempt first, because printing can fail.
    log_attempt(context, report, saved.source, "watch")
    click.echo(report_text(report, task))


def watch_file(
    path: Path, sleep: Callable[[float], None] = time.sleep, clock: Callable[[], float] = time.monotonic
) -> Iterator[FileState]:
    """Yield the file's current state, and again after each save that changes it; never returns."""
    latest: FileState | None = None
    seen, since = _stamp(path), clock() - SETTLE_SECONDS
    while True:
        now = _stamp(path)
        if now != seen:
            seen, since = now, clock()
        elif clock() - since >= SETTLE_SECONDS:
            saved = _read(path)
            if saved != latest:
                latest = saved
                yield saved
            # There is nothing more to yield until the file changes.
            since = math.inf
        sleep(POLL_SECONDS)


def _stamp(path: Path) -> tuple[int, int] | None:
    """Return the file's modification time and its size in bytes; None if it does not exist."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _read(path: Path) -> FileState:
    try:
        source = read_source(path)
    except BadInput as error:
        return FileState("", f"{error}; waiting for it")
    try:
        compile(source, str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        where = f" at line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        # This is Python's own message, which shows the line with a caret under the column.
        shown = "".join(traceback.format_exception_only(error)).rstrip()
        return FileState(source, f"does not parse{where}; waiting for the next save\n{shown}")
    return FileState(source)
