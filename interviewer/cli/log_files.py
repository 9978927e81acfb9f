"""What leaves the practice log as a file or comes in from one: reports, exports, imports, replays; all of it masked."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from interviewer.cli.log import failures, history_of, say, topics_of
from interviewer.exits import BAD_INPUT, NOT_PASSED, OK, Failure
from interviewer.interview.context import Kit
from interviewer.interview.sessions import load_session
from interviewer.log.history import History
from interviewer.log.progress import startable_cards
from interviewer.log.reports.anki import write_deck
from interviewer.log.reports.csv import csv_text
from interviewer.log.reports.html import html_report
from interviewer.log.reports.jsonl import export_lines, import_recording, read_lines
from interviewer.log.reports.overview import log_markdown, overview
from interviewer.log.reports.replay import compare_with_state, move_differences, replay_lines
from interviewer.log.schedule import DAILY_MAX, due_items, end_of_day
from interviewer.sanitize import masker
from interviewer.session.debrief import debrief
from interviewer.session.phrases import counted


def report(kit: Kit, name: str | None, html: Path | None) -> int:
    """Print or write the report of one session or of all practice."""
    now = time.time()
    with failures():
        if name:
            load_session(kit.log, name)
        history = history_of(kit)
        cards = startable_cards(history, kit.known_content)
        entries = due_items(cards, end_of_day(now))[:DAILY_MAX]
        if name:
            history = History(tuple(one for one in history.sessions if one.id == name), ())
            parts = {part.id for part in history.sessions[0].plan.parts}
            # One session's parts with their next dates, whether they are due yet or not.
            entries = [one for one in due_items(cards, math.inf) if one.id in parts]
        by_topic = topics_of(kit, history)
    if html:
        title = f"Session {name}" if name else "Practice report"
        write_file(html, html_report(history, by_topic, entries, title, now).encode("utf-8"))
        say(str(html))
    else:
        say(debrief(history.sessions[0]) if name else overview(history, by_topic, entries))
    return OK


def export(kit: Kit, file: Path, form: str) -> int:
    """Write the log in one of the formats, whole or not at all."""
    mask = masker(kit.environ)
    with failures():
        history = history_of(kit)
        if form == "jsonl":
            data = "".join(f"{line}\n" for line in export_lines(kit.log, mask)).encode("ascii")
        elif form == "csv":
            # The mark in front lets spreadsheets see that it is UTF-8.
            data = csv_text(history).encode("utf-8-sig")
        elif form == "markdown":
            told = [kit.log.events(session.id, mask) for session in history.sessions]
            data = log_markdown(history, told, topics_of(kit, history)).encode("utf-8")
    if form == "anki":
        _write_with(file, lambda half: write_deck(history, half))
    else:
        write_file(file, data)
    say(str(file))
    return OK


def import_log(kit: Kit, file: Path) -> int:
    """Add what an exported file holds and the log lacks."""
    with failures():
        done = import_recording(kit.log, read_lines(_read(file)), masker(kit.environ))
    say(
        f"{counted(done.sessions_new, 'session')} added, {done.sessions_longer} continued, "
        f"{counted(done.attempts_new, 'attempt')} added; "
        "the rest is there already."
    )
    for session in done.sessions_that_differ:
        say(f"note: session {session} differs from the one in the log, which was left as it is", is_error=True)
    return OK


def forget(kit: Kit, name: str | None) -> int:
    """Delete one session or attempt, or everything, and name the copies that this does not reach."""
    with failures():
        count = kit.log.forget(name)
    if name and not count:
        raise Failure(BAD_INPUT, "session", f"no session or attempt {name}", "interviewer log lists them.")
    say(f"Deleted: {count} of the log's sessions and attempts.")
    own = {f"{kit.log.path.name}{ending}" for ending in ("", "-wal", "-shm")}
    for copy in sorted(kit.log.path.parent.glob(f"{kit.log.path.name}*")):
        if copy.name not in own:
            say(f"An older copy is still there, delete it yourself: {copy}")
    return OK


def replay(file: Path, wanted: str | None) -> int:
    """Play sessions again and say whether the same moves, and the same state, follow from them today."""
    with failures():
        recorded = read_lines(_read(file)).sessions
    if wanted is not None and wanted not in recorded:
        raise Failure(BAD_INPUT, "input", f"{file} holds no session {wanted}", f"It holds: {', '.join(recorded)}")
    is_same = True
    for name, events in recorded.items():
        if wanted in (None, name):
            say("\n".join(replay_lines(events)) + "\n")
            is_same &= not move_differences(events)
    state_file = file.with_suffix(".state.json")
    if len(recorded) == 1 and state_file.exists():
        is_same_state, said = compare_with_state(next(iter(recorded.values())), state_file)
        say(said)
        is_same &= is_same_state
    return OK if is_same else NOT_PASSED


def _read(file: Path) -> Sequence[str]:
    try:
        return file.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        fix = "Name a file that is there and can be read; interviewer export FILE writes one."
        raise Failure(BAD_INPUT, "input", f"{file}: {error.strerror or error}", fix) from None
    except UnicodeDecodeError as error:
        raise Failure(BAD_INPUT, "input", f"{file}: not UTF-8 text (byte {error.start})") from None


def write_file(file: Path, data: bytes) -> None:
    """Write a file whole or not at all. Raises: Failure naming it."""

    def write(half: Path) -> Any:
        half.write_bytes(data)

    _write_with(file, write)


def _write_with(file: Path, write: Callable[[Path], Any]) -> None:
    """Write beside the file and move it there: a full disk leaves an earlier export as it was."""
    half = file.with_name(f".{file.name}.half")
    try:
        write(half)
        half.replace(file)
    except OSError as error:
        with suppress(OSError):
            half.unlink(missing_ok=True)
        fix = "Name a file in a folder that exists and can be written."
        raise Failure(BAD_INPUT, "output", f"{file}: {error.strerror or error}", fix) from None
