"""Show a running session to an observer in plain mode, without control characters."""

from __future__ import annotations

import os
import select
import sys
import time
from contextlib import suppress
from typing import TextIO

from interviewer.cli.plain.interview import wrapped
from interviewer.interview.observer_client import (
    Observation,
    changed_lines,
    describe_event,
    ladder_lines,
    length_error,
    rubric_lines,
)
from interviewer.log.errors import LogError, NotAdmitted
from interviewer.sanitize import printable
from interviewer.session.assessment import State
from interviewer.session.debrief import plain_debrief
from interviewer.session.events import Assessed, InterviewerSaid
from interviewer.session.move import MoveKind
from interviewer.session.phrases import pluralize
from interviewer.session.state import ObserverMark

POLL_SECONDS = 0.25
DRAFT_SECONDS = 0.5
GUIDE = (
    "Each line you type becomes a question from the interviewer; the candidate's answer is not scored. "
    "/tick N marks point N as shown, /untick N as missing. /rubric, /answers and /code print "
    "the rubric, the reference answers and the code. /quit leaves."
)


def observe(observation: Observation) -> None:
    """Watch a session until it is over or the observer leaves. Raises LogError if the log cannot be used."""
    PlainObserver(observation, sys.stdout).run(LineReader(sys.stdin.fileno()))


class LineReader:
    """Read lines from a file descriptor without blocking longer than a timeout."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._unread = b""
        self._is_open = True

    def read_for(self, seconds: float) -> list[str]:
        """Return the complete lines that arrive within this many seconds; always empty after the end of the input."""
        # Do not read in a thread, because a blocking read would prevent the interpreter from exiting.
        if not self._is_open:
            time.sleep(seconds)
        elif select.select([self._descriptor], [], [], seconds)[0]:
            came = os.read(self._descriptor, 65536)
            self._is_open = bool(came)
            *lines, self._unread = (self._unread + came).split(b"\n")
            if not came and self._unread:
                lines, self._unread = [self._unread], b""
            return [line.decode("utf-8", "replace") for line in lines]
        return []


class PlainObserver:
    """Print the events of a session, and handle the lines that the observer types."""

    def __init__(self, observation: Observation, out: TextIO) -> None:
        self._seen = observation
        self._out = out
        self._drafts: dict[str, str] = {}
        self._drafts_at = 0.0

    def run(self, lines: LineReader) -> None:
        """Watch until the session is over or the observer leaves, even after the input has ended.

        Raises LogError if the log cannot be used.
        """
        self._say(f"Watching session {self._seen.id} as {self._seen.who}. {GUIDE}")
        try:
            while self._look() and all(self._take(line) for line in lines.read_for(POLL_SECONDS)):
                pass
        finally:
            with suppress(LogError):
                self._seen.leave()

    def _look(self) -> bool:
        for event in self._seen.poll():
            self._say(describe_event(event))
            move = event.move if isinstance(event, InterviewerSaid) else None
            if move is MoveKind.NEXT or isinstance(event, Assessed):
                self._show("rubric")
            if move is MoveKind.NEXT:
                self._show("answers")
        session = self._seen.session
        if session is not None and session.is_over:
            if waiting := len(self._seen.waiting()):
                self._say(f"note: {pluralize(waiting, 'question')} not asked before the session ended")
            self._say("\nThe session is over.\n" + plain_debrief(session))
            return False
        if time.monotonic() - self._drafts_at >= DRAFT_SECONDS:
            self._drafts_at = time.monotonic()
            for draft in self._seen.drafts():
                before, self._drafts[draft.slot] = self._drafts.get(draft.slot, ""), draft.text
                for line in changed_lines(before, draft.text):
                    self._say(f"  {draft.slot} {line}")
        return True

    def _take(self, line: str) -> bool:
        """Handle a line that the observer typed; return False if the observer leaves."""
        try:
            return self._act(line)
        except NotAdmitted as error:
            # If the session is over, the next poll shows the debrief. If it is closed to observers, the next heartbeat
            # raises the error again.
            self._say(f"note: {error.message}. {error.fix}")
            return True

    def _act(self, line: str) -> bool:
        text = printable(line).strip()
        word, _, rest = text.partition(" ")
        if word == "/quit":
            return False
        if word in {"/rubric", "/answers", "/code"}:
            self._show(word[1:])
        elif word in {"/tick", "/untick"}:
            self._tick(rest, State.SHOWN if word == "/tick" else State.MISSING)
        elif word.startswith("/"):
            self._say(f"note: unknown command {word}. {GUIDE}")
        elif text:
            self._ask(text)
        return True

    def _ask(self, text: str) -> None:
        if why_not := length_error(text):
            self._say(f"note: {why_not}")
            return
        self._seen.ask(text)
        self._say(f"(queued for the interviewer's next turn, {len(self._seen.waiting())} waiting)")

    def _tick(self, numbers: str, state: State) -> None:
        question = self._seen.question
        points = {str(number): point.id for number, point in enumerate(question.points, 1)} if question else {}
        chosen = numbers.replace(",", " ").split()
        unknown = [point for point in chosen if point not in points]
        if question is None or unknown or not chosen:
            why_not = f"expected numbers from 1 to {len(points)}, got {' '.join(unknown) or 'none'}"
            self._say(f"note: {why_not if points else 'no question yet'}")
            return
        for number in chosen:
            self._seen.tick(ObserverMark(question.id, points[number], state, self._seen.who))
        self._show("rubric")

    def _show(self, what: str) -> None:
        session, question = self._seen.session, self._seen.question
        if what == "code":
            self._say(self._drafts.get("code", "") or "(no code yet)")
        elif session is None or question is None:
            self._say("(no question yet)")
        else:
            is_rubric = what == "rubric"
            lines = rubric_lines(session, question, self._seen.marks()) if is_rubric else ladder_lines(question)
            self._say("\n".join(lines))

    def _say(self, text: str) -> None:
        self._out.write(f"{wrapped(printable(text), self._out)}\n")
        self._out.flush()
