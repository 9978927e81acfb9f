"""The command lines for who teaches a class: parse only; `context.obj` wires the app."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.options import AS_JSON, DEVICE, SANDBOX, FileName

if TYPE_CHECKING:
    from pathlib import Path

Wire = Callable[..., Any]
_FOLDER = FileName(exists=True, file_okay=False)
_FILE = FileName(dir_okay=False)


@click.command("class")
@click.argument("folder", type=_FOLDER)
@click.option("--html", type=_FILE, metavar="FILE", help="Write one self-contained page instead.")
@click.option("--names", "has_names", is_flag=True, help="Call people by their files' names, not person 1, person 2.")
@AS_JSON
@click.pass_obj
def class_(wire: Wire, /, folder: Path, html: Path | None, has_names: bool, as_json: bool) -> int:
    """Sum up a class: FOLDER holds one exported practice log (*.jsonl) for each person.

    Depth by topic and examiner, tasks tried and passed, the mistakes and misconceptions met most often, and what nobody
    met; no answer's text. People are numbered by a hash of their file's content. Your own log is neither read nor
    changed. A file that cannot be read is named on standard error and left out.
    """
    from interviewer.cli import classroom as class_commands

    with wire() as kit:
        return class_commands.class_summary(kit, folder, html, has_names=has_names, as_json=as_json)


@click.command("grade-all")
@click.argument("task")
@click.argument("folder", type=_FOLDER)
@click.option("--csv", "csv_file", type=_FILE, metavar="FILE", help="Write a row for each submission as it is known.")
@DEVICE
@SANDBOX
@click.option("--seed", type=click.IntRange(min=0), help="Draw the same cases again; without it a fresh one for all.")
@AS_JSON
@click.pass_obj
def grade_all(wire: Wire, /, task: str, folder: Path, sandbox: str | None, **wanted: Any) -> int:
    """Grade every *.py in FOLDER, one after the other, all on the same cases; hidden files are passed over.

    Exit code 0 when all passed, 1 when some did not, 3 when any could not be graded: that one is ungraded and the rest
    go on. Ctrl+c stops and keeps what is known. Nothing of this enters your practice log.
    """
    from interviewer.cli import grade_all as grading_folder

    with wire(sandbox=sandbox) as kit:
        return grading_folder.grade_all(kit, task, folder, **wanted)


COMMANDS: tuple[click.Command, ...] = (class_, grade_all)
