"""The command lines of the practice log: parse only; `context.obj` is the function that wires the app."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.options import AS_JSON, FileName

if TYPE_CHECKING:
    from pathlib import Path

Wire = Callable[[], Any]
FORMATS = ("jsonl", "csv", "markdown", "anki")
_FILE = FileName(dir_okay=False)


@click.command()
@click.argument("session", required=False)
@click.option("--transcript", is_flag=True, help="With SESSION: every move in order instead of the debrief.")
@click.option("--search", metavar="TEXT", help="Find words in questions, answers and code.")
@click.option("--task", metavar="TASK", help="List the attempts at one task.")
@click.option(
    "--compare", nargs=2, type=click.IntRange(min=1), metavar="N M", help="With --task: compare two attempts."
)
@click.option("--trends", is_flag=True, help="Depth and verdicts by topic, and your own marks against the machine's.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object; with SESSION, all its events.")
@click.pass_obj
def log(wire: Wire, /, session: str | None, as_json: bool, **wanted: Any) -> int:
    """List the sessions, show one's debrief, search, or look at what the weeks add up to."""
    from interviewer.cli import log as log_commands

    modes = [session, wanted["search"], wanted["task"], wanted["trends"] or None]
    if sum(mode is not None for mode in modes) > 1:
        raise click.UsageError("SESSION, --search, --task and --trends are four different looks: choose one.")
    if (wanted["transcript"] and not session) or (wanted["compare"] and not wanted["task"]):
        raise click.UsageError("--transcript needs a SESSION, --compare a --task.")
    with wire() as kit:
        if session:
            return log_commands.one_session(kit, session, is_transcript=wanted["transcript"], as_json=as_json)
        if wanted["search"] is not None:
            return log_commands.found(kit, wanted["search"], as_json=as_json)
        if wanted["task"]:
            return log_commands.attempts(kit, wanted["task"], wanted["compare"], as_json=as_json)
        if wanted["trends"]:
            return log_commands.trends(kit, as_json=as_json)
        return log_commands.sessions(kit, as_json=as_json)


@click.command()
@AS_JSON
@click.pass_obj
def review(wire: Wire, /, as_json: bool) -> int:
    """List what is due today, most overdue first, and how to start it.

    What you practised comes back by the FSRS schedule, at 90 % retention, with the machine's findings as ratings:
    again, hard, good or easy. Your own marks are shown beside them and change nothing.
    """
    from interviewer.cli import log as log_commands

    with wire() as kit:
        return log_commands.review(kit, as_json=as_json)


@click.command()
@click.argument("session", required=False)
@click.option("--html", type=_FILE, metavar="FILE", help="Write one self-contained page instead.")
@click.pass_obj
def report(wire: Wire, /, session: str | None, html: Path | None) -> int:
    """Print the report of one session, or of all practice, as Markdown."""
    from interviewer.cli import log_files

    with wire() as kit:
        return log_files.report(kit, session, html)


@click.command()
@click.argument("file", type=_FILE)
@click.option("--format", "form", type=click.Choice(FORMATS), default="jsonl", show_default=True)
@click.pass_obj
def export(wire: Wire, /, file: Path, form: str) -> int:
    """Write the log to FILE: JSON lines (can be imported), CSV, Markdown, or an Anki deck of what was asked.

    Keys and what looks like a key are masked; unsent drafts stay at home.
    """
    from interviewer.cli import log_files

    with wire() as kit:
        return log_files.export(kit, file, form)


@click.command("import-log")
@click.argument("file", type=_FILE)
@click.pass_obj
def import_log(wire: Wire, /, file: Path) -> int:
    """Add the sessions and attempts of an exported JSONL file; what is there already stays as it is."""
    from interviewer.cli import log_files

    with wire() as kit:
        return log_files.import_log(kit, file)


@click.command()
@click.argument("file", type=_FILE)
@click.option("--session", metavar="ID", help="Only this session of the file.")
def replay(file: Path, session: str | None) -> int:
    """Play an exported session again, move by move; exit code 1 when today's rules choose other moves."""
    from interviewer.cli import log_files

    return log_files.replay(file, session)


@click.command()
@click.argument("name", required=False, metavar="[ID]")
@click.option("--all", "is_all", is_flag=True, help="Delete every session and attempt.")
@click.option("--yes", "is_sure", is_flag=True, help="Do not ask.")
@click.pass_obj
def forget(wire: Wire, /, name: str | None, is_all: bool, is_sure: bool) -> int:
    """Delete a session or an attempt from the log, or all of them, for good."""
    from interviewer.cli import log_files

    if bool(name) is is_all:
        raise click.UsageError("Name one session or attempt, or say --all.")
    if not is_sure:
        click.confirm(f"Delete {name or 'the whole practice log'}? This cannot be undone.", abort=True, err=True)
    with wire() as kit:
        return log_files.forget(kit, name)


COMMANDS: tuple[click.Command, ...] = (log, review, report, export, import_log, replay, forget)
