"""Shared output of the commands: a JSON object, a table, a failure, and text without terminal control characters."""

from __future__ import annotations

import json
import os
import select
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

import click

from interviewer.cli.starting import clear_starting
from interviewer.errors import (
    BAD_INPUT,
    INTERRUPTED,
    OK,
    OUR_FAILURE,
    BadInput,
    InterviewerError,
    journal,
    to_interviewer_error,
)
from interviewer.sanitize import printable


def print_json(value: Any) -> None:
    """Print exactly one JSON object. Raises ValueError if JSON cannot represent a number."""
    click.echo(json.dumps(value, allow_nan=False))


def echo(text: str, *, is_error: bool = False) -> None:
    """Print text without control characters."""
    click.echo(printable(text), err=is_error)


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return the rows as text columns, each as wide as its widest cell."""
    if not rows:
        return ""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def local_time(at: float) -> str:
    """Format epoch seconds as local date and time, to the minute."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


@contextmanager
def unread_output_discarded() -> Iterator[None]:
    """Stop printing if the program that reads the output has exited, so that the command keeps its exit code."""
    try:
        yield
        click.echo(nl=False)  # flushes
    except BrokenPipeError:
        if not _discard_unread_output():
            raise


def _discard_unread_output() -> bool:
    """Discard all further output that nobody reads; return whether there is such output."""
    unread = [stream for stream in (sys.stdout, sys.stderr) if stream and _is_unread(stream)]
    for stream in unread:
        _discard(stream)
    return bool(unread)


def _is_unread(stream: TextIO) -> bool:
    """Return whether a stream is a pipe whose reader has exited."""
    poll = select.poll()
    poll.register(stream, 0)
    return bool(poll.poll(0))


def _discard(stream: TextIO) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def print_failure(error: BaseException, *, as_json: bool) -> int:
    """Print the error that ended a command, with its id if it was recorded, and return the exit code."""
    clear_starting()
    if isinstance(error, (click.Abort, KeyboardInterrupt)):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    if isinstance(error, BrokenPipeError) and _discard_unread_output():
        # The program that reads the output (a pager, head) has exited; this is not an error.
        return OK
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message(), err=True)
        return BAD_INPUT
    if isinstance(error, click.ClickException):
        context = error.ctx if isinstance(error, click.UsageError) else None
        fix = f"{context.command_path} --help shows how." if context else ""
        return _print_error(BadInput(error.format_message(), fix, "usage"), as_json=as_json)
    assert isinstance(error, Exception)
    return _print_error(to_interviewer_error(error), as_json=as_json)


def _print_error(error: InterviewerError, *, as_json: bool) -> int:
    record_id = journal.record(error) if error.exit_code == OUR_FAILURE else ""
    try:
        if as_json:
            print_json({"error": error_object(error, record_id)})
        click.echo(nl=False)  # flushes
    except OSError:
        # Standard output cannot be written, for example because the disk is full.
        _discard(sys.stdout)
        as_json = False
    if as_json:
        return error.exit_code
    lines = [f"interviewer: {error.message}", error.fix]
    lines += [f"Error {record_id}: run interviewer errors {record_id} for the traceback."] if record_id else []
    with unread_output_discarded():
        sys.stderr.write(printable("\n".join(line for line in lines if line)) + "\n")
    return error.exit_code


def error_object(error: InterviewerError, record_id: str = "") -> dict[str, str | int]:
    """Return an error as the value of "error" in JSON; `record_id` is "" if it is not recorded.

    `line` is included only for an error in a line of the config file.
    """
    fields: dict[str, str | int] = {"kind": error.kind, "message": error.message, "fix": error.fix}
    if line := getattr(error, "line", 0):
        fields["line"] = line
    return {**fields, "id": record_id} if record_id else fields
