"""Logs for these tests: small sessions with known findings, attempts outside interviews, and a file of schema 1."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from graders.verdict import Report, Verdict
from interviewer.log import schema
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.history import History, read_history
from interviewer.log.store import PracticeLog
from interviewer.session import events
from interviewer.session.assessment import State
from interviewer.session.events import dump_event
from interviewer.session.state import SelfMark
from tests.session.build import Run, heard, report, started

DAY = 86_400.0
QUESTION = ("question", "clipping")
TASK = ("task", "ppo_clip_loss")
# The schema as version 1 wrote it; old files must always open, so this text never follows the code.
SCHEMA_1 = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, started_at REAL NOT NULL, ended_at REAL, examiner TEXT NOT NULL,
                       parts TEXT NOT NULL) STRICT;
CREATE TABLE events (session TEXT NOT NULL REFERENCES sessions(id), number INTEGER NOT NULL, at REAL NOT NULL,
                     line TEXT NOT NULL, PRIMARY KEY (session, number)) STRICT;
CREATE TABLE drafts (session TEXT NOT NULL, slot TEXT NOT NULL, at REAL NOT NULL, text TEXT NOT NULL,
                     PRIMARY KEY (session, slot)) STRICT;
"""


def unmasked(text: str) -> str:
    """Return the text as it is."""
    return text


def run_of(name: str, *parts: tuple[str, str], at: float = 1000.0, examiner: str = "offline") -> Run:
    """Return a session that has just begun, with this name and time."""
    return Run(replace(started(*(parts or (QUESTION,)), examiner=examiner), session=name, at=at))


def whole_run(name: str = "s1", at: float = 1000.0, words: str = "an answer", source: str = "code") -> Run:
    """Return a finished session: rungs 1 and 2 passed, 3 and 4 failed; then a failed and a passed submission."""
    run = run_of(name, QUESTION, TASK, at=at)
    run.answer(heard("p1"), text=words)
    run.answer(heard("p2"))
    while not run.session.drill.is_over:
        run.answer(heard(), text=f"{words}, no more")
    marks = tuple(SelfMark(f"p{n}", State.SHOWN if n < 4 else State.MISSING) for n in range(1, 5))
    run.apply(events.SelfMarked(run.now + 1, marks))
    run.submit(report(Verdict.WRONG_VALUE, "max_for_min"), f"{source} 1")
    run.submit(report(), f"{source} 2")
    while not run.session.is_over:
        run.apply(events.EndAsked(run.now + 1))
    return run


def logged(log: PracticeLog, *runs: Run) -> PracticeLog:
    """Write whole sessions into a log and return it."""
    for run in runs:
        log.append(run.session.id, 0, *run.events)
    return log


def attempt(
    name: str = "a1", at: float = 1000.0, verdict: Verdict = Verdict.PASSED, source: str = "x = 1\n", task: str = "gae"
) -> LoggedAttempt:
    """Return an attempt made by `interviewer grade`."""
    graded: Report = replace(report(verdict), task=task)
    return LoggedAttempt(name, at, task, "grade", source, graded)


def history_of(folder: Path, *runs: Run, attempts: tuple[LoggedAttempt, ...] = ()) -> History:
    """Return these sessions and attempts after a round trip through a real file."""
    log = logged(PracticeLog(folder / "history.db"), *runs)
    for attempt in attempts:
        log.record_attempt(attempt)
    return read_history(log, unmasked)


def write_schema_1(path: Path, run: Run) -> None:
    """Write a log in version 1 of the schema, with one session and a draft."""
    with closing(sqlite3.connect(path)) as old, old:
        old.execute("PRAGMA journal_mode=WAL")
        old.executescript(SCHEMA_1)
        row = (run.session.id, run.events[0].at, None, run.session.examiner, "clipping, ppo_clip_loss")
        old.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?)", row)
        for number, event in enumerate(run.events):
            old.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (run.session.id, number, event.at, dump_event(event)))
        old.execute("INSERT INTO drafts VALUES (?, 'answer', 5.0, 'half a sentence')", (run.session.id,))
        old.execute("PRAGMA user_version=1")


def write_schema_3(path: Path, *runs: Run) -> None:
    """Write a log in version 3 of the schema, in which no start event names a device."""
    with closing(sqlite3.connect(path)) as old, old:
        for step in schema.STEPS[:3]:
            old.executescript(step)
        for run in runs:
            row = (run.session.id, run.events[0].at, None, run.session.examiner, "clipping, ppo_clip_loss")
            old.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?)", row)
            for number, event in enumerate(run.events):
                line = dump_event(event).replace(', "device": ""', "")
                old.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (run.session.id, number, event.at, line))
        old.execute("PRAGMA user_version=3")
