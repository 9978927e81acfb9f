"""Exports and imports the log as JSON Lines; exporting an imported log reproduces the imported file byte for byte.

Secrets are masked on export, so an imported copy of a log that contains a key equals the original only after masking.
Drafts, saved session times and payments for model calls are not exported: they are not practice data, and an imported
cost would be counted twice in the monthly total.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graders.verdict import Report
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.errors import LogDamaged, NotAnExport
from interviewer.log.history import masked_attempts
from interviewer.log.store import PracticeLog
from interviewer.sanitize import Mask, masked_line
from interviewer.session.codec import CodecError, from_plain, to_plain
from interviewer.session.events import AFTERWARDS, Event, Graded, SessionStarted, dump_event, load_event

FORMAT = 1
# The end of the year 9999, the largest year that datetime supports.
SECONDS_MAX = 253_402_214_400
_AFTERWARDS = frozenset(kind.__name__ for kind in AFTERWARDS)
# Ids become part of file names and of commands that users copy.
_NAME = re.compile(r"[A-Za-z0-9_-]{1,100}")
_FIX = "Nothing was imported. Export the log again with interviewer export FILE --format jsonl."


@dataclass(frozen=True)
class Recording:
    """The content of a JSON Lines file: each session's events, the events recorded after its end, and the attempts.

    Both kinds of events are stored by session id.
    """

    sessions: dict[str, list[Event]] = field(default_factory=dict)
    afterwards: dict[str, list[Event]] = field(default_factory=dict)
    attempts: list[LoggedAttempt] = field(default_factory=list)


@dataclass(frozen=True)
class ImportResult:
    """Counts of the changes an import made, and the sessions it skipped because they differ from those in the log."""

    sessions_new: int = 0
    sessions_longer: int = 0
    attempts_new: int = 0
    sessions_that_differ: tuple[str, ...] = ()


def export_lines(log: PracticeLog, mask: Mask) -> list[str]:
    """Return the log as JSON lines; unreadable sessions are left out (`History` lists them).

    Raises LogError if the log cannot be used.
    """
    # Earlier versions ignore unknown keys in the first line, but reject a file that contains a line of an unknown kind.
    afterwards = {
        session.id: [json.loads(dump_event(event)) for event in found]
        for session in reversed(log.sessions())
        if (found := log.afterwards(session.id, mask))
    }
    lines = [
        json.dumps({"kind": "practice_log", "format": FORMAT} | ({"afterwards": afterwards} if afterwards else {}))
    ]
    for session in reversed(log.sessions()):
        try:
            events = log.events(session.id, mask)
        except LogDamaged:
            continue
        for number, event in enumerate(events):
            plain = json.loads(dump_event(event))
            lines.append(json.dumps({"kind": "event", "session": session.id, "number": number, "event": plain}))
    lines += [json.dumps({"kind": "attempt", "attempt": to_plain(attempt)}) for attempt in masked_attempts(log, mask)]
    return lines


def read_lines(lines: Iterable[str]) -> Recording:
    """Return the content of an export, or of a file with the events of one session.

    Raises NotAnExport, with the line number, if a line is not in the export format.
    """
    recording = Recording()
    for line_number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            if not isinstance(data, dict):
                raise CodecError("expected a JSON object")
            _take(recording, data, line)
        except (ValueError, KeyError, TypeError, ArithmeticError, RecursionError) as error:
            raise NotAnExport(f"line {line_number}: {_in_words(error)}", _FIX) from None
    if not recording.sessions and not recording.attempts:
        raise NotAnExport("it contains no sessions and no attempts", _FIX)
    for session, events in recording.sessions.items():
        # Do not replay the events: a session that the current rules reject is still practice and is imported unchanged.
        starts = [number for number, event in enumerate(events) if isinstance(event, SessionStarted)]
        if starts != [0]:
            raise NotAnExport(f"session {session}: expected exactly one start event, as the first event", _FIX)
    return recording


def _take(recording: Recording, data: dict[str, Any], line: str) -> None:
    match data["kind"]:
        case "practice_log":
            if data["format"] != FORMAT:
                raise CodecError(f"expected format {FORMAT}, got {data['format']}; upgrade interviewer")
            for name, found in dict(data.get("afterwards", {})).items():
                _must_be_sound(0.0, None, name)
                known = [event for event in found if event["kind"] in _AFTERWARDS]
                recording.afterwards[name] = [_sound_event(json.dumps(event), name) for event in known]
        case "attempt":
            attempt = from_plain(LoggedAttempt, data["attempt"])
            _must_be_sound(attempt.at, attempt.report, attempt.id, attempt.task)
            if attempt.wall_seconds is not None and not 0 <= attempt.wall_seconds < SECONDS_MAX:
                raise CodecError(f"wall_seconds: expected seconds, got {attempt.wall_seconds}")
            # SQLite cannot store lone surrogates; encode() raises an error for them.
            json.dumps(data, ensure_ascii=False).encode()
            recording.attempts.append(attempt)
        case "event":
            name = str(data["session"])
            events = recording.sessions.setdefault(name, [])
            if data["number"] != len(events):
                raise CodecError(f"expected event {len(events)} of {name}, got {data['number']}")
            events.append(_sound_event(json.dumps(data["event"]), name))
        case "SessionStarted":
            recording.sessions[str(data["session"])] = [_sound_event(line, str(data["session"]))]
        case _:
            if not recording.sessions:
                raise CodecError("an event comes before the start of its session")
            name = list(recording.sessions)[-1]
            recording.sessions[name].append(_sound_event(line, name))


def _sound_event(line: str, session: str) -> Event:
    """Parse a line into an event; reject a valid event that would break the display."""
    event = load_event(line)
    parts = [part.id for part in event.plan.parts] if isinstance(event, SessionStarted) else []
    _must_be_sound(event.at, event.report if isinstance(event, Graded) else None, session, *parts)
    if isinstance(event, SessionStarted):
        if event.session != session:
            raise CodecError(f"session {session} starts with an event from session {event.session}")
        if not all(map(math.isfinite, (event.plan.minutes, *(part.minutes for part in event.plan.parts)))):
            raise CodecError("minutes: expected finite numbers")
        event.examiner.encode()
        if event.device:
            _must_be_sound(event.at, None, event.device)
    return event


def _must_be_sound(at: float, report: Report | None, *names: str) -> None:
    if not 0 <= at < SECONDS_MAX:
        raise CodecError(f"at: expected seconds since 1970-01-01, got {at}")
    for name in names:
        if not _NAME.fullmatch(name):
            raise CodecError(f"expected an id with only letters, digits, _ and -, got {name!r}")
    if report is not None and not (report.cases and math.isfinite(report.score)):
        raise CodecError("report: expected at least one case")


def _in_words(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return "not JSON"
    return f"missing key {error}" if isinstance(error, KeyError) else str(error)


def import_recording(log: PracticeLog, recording: Recording, mask: Mask) -> ImportResult:
    """Add the sessions and attempts missing from the log. Existing data is kept, so a second import changes nothing.

    Raises LogError if the log cannot be used.
    """
    new, longer, differ = 0, 0, []
    for session, events in recording.sessions.items():
        # Compare after masking: a key may be unmasked in the log but masked in the file.
        known_events = log.events(session, mask)
        here = [dump_event(event) for event in known_events]
        there = [masked_line(dump_event(event), mask) for event in _on_same_device(events, known_events)]
        known = min(len(here), len(there))
        if here[:known] != there[:known]:
            differ.append(session)
        elif len(there) > known:
            log.append(session, known, *events[known:])
            new, longer = new + (known == 0), longer + (known > 0)
    for session, found in recording.afterwards.items():
        if session in recording.sessions and session not in differ:
            for event in _missing(found, log.afterwards(session, mask), mask):
                log.append_afterwards(session, event)
    added = sum(log.record_attempt(attempt) for attempt in recording.attempts)
    return ImportResult(new, longer, added, tuple(differ))


def _missing(found: Iterable[Event], known: Iterable[Event], mask: Mask) -> Iterator[Event]:
    """Yield the events that are not among the known events, in order; an event that occurs twice must be known twice.

    The known events are masked.
    """
    left = Counter(map(dump_event, known))
    for event in found:
        line = masked_line(dump_event(event), mask)
        if left[line]:
            left[line] -= 1
        else:
            yield event


def _on_same_device(events: Sequence[Event], known: Sequence[Event]) -> list[Event]:
    """Fill in a missing device before the comparison, because exports from earlier versions do not name a device.

    If only one of the two start events has a device, it is copied to the other event; two different devices stay
    different.
    """
    start, known_start = events[0], known[0] if known else None
    if isinstance(start, SessionStarted) and isinstance(known_start, SessionStarted):
        is_unknown = "" in (start.device, known_start.device)
        start = replace(start, device=known_start.device) if is_unknown else start
    return [start, *events[1:]]
