"""Follows a session beside an app's loop: one thread alone touches the log, and what it tells never changes again."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from interviewer.log.errors import LogError
from interviewer.observing import Observation
from interviewer.session.assessment import State
from interviewer.session.question import Question
from interviewer.session.state import ObserverMark, Session

POLL_SECONDS = 0.25
# A candidate whose app starts again lets the same observer in again after a moment.
RETRY_SECONDS = 1.0


@dataclass(frozen=True)
class Sight:
    """Hold all that an observer sees at one moment; `drafts` is what is being typed, as "answer" and "code".

    A session that is over is the last sight.
    """

    session: Session
    questions: tuple[Question, ...]
    marks: Mapping[tuple[str, str], State]
    waiting: int
    drafts: Mapping[str, str]
    seconds_left: float


@dataclass(frozen=True)
class Lost:
    """Hold why nothing can be seen now; it is tried again."""

    error: Exception


@dataclass(frozen=True)
class Asked:
    """Say that a question is kept in the log."""

    text: str


@dataclass(frozen=True)
class Rejoined:
    """Say that another token holds from now on."""

    token: str


@dataclass(frozen=True)
class Refused:
    """Hold why something that the observer did is not in the log."""

    error: Exception


Told = Sight | Lost | Asked | Rejoined | Refused


class Lookout:
    """Tell what is seen, from `run` in a thread of its own; the other methods may be called from any thread."""

    def __init__(self, seen: Observation, tell: Callable[[Told], object]) -> None:
        self._seen = seen
        self._tell = tell
        self._acts: queue.SimpleQueue[Callable[[], Told | None]] = queue.SimpleQueue()
        self._has_ended = False
        self._drafts: dict[str, str] = {}
        self._told: Sight | None = None
        self._lost = ""

    def run(self) -> None:
        """Look and do until `stop` is called; blocks."""
        try:
            while not self._has_ended:
                self._wait(POLL_SECONDS if self._look() else RETRY_SECONDS)
        finally:
            with suppress(LogError):
                self._seen.leave()

    def stop(self) -> None:
        """Let `run` return soon, after what was asked and ticked."""
        self._acts.put(self._end)

    def ask(self, text: str) -> None:
        """Leave a question for the interviewer's next turn."""

        def act() -> Asked:
            self._seen.ask(text)
            return Asked(text)

        self._acts.put(act)

    def tick(self, question: str, point: str, state: State) -> None:
        """Leave a mark."""
        self._acts.put(lambda: self._seen.tick(ObserverMark(question, point, state, self._seen.who)))

    def rejoin(self, token: str) -> None:
        """Go on with another token."""

        def act() -> Rejoined:
            self._seen.rejoin(token)
            return Rejoined(token)

        self._acts.put(act)

    def _end(self) -> None:
        self._has_ended = True

    def _wait(self, seconds: float) -> None:
        """Do what is asked for, or return after these seconds."""
        deadline = time.monotonic() + seconds
        with suppress(queue.Empty):
            while not self._has_ended:
                act = self._acts.get(timeout=max(0.0, deadline - time.monotonic()))
                # What comes with it is done as well; the look after it then shows all of it.
                deadline = 0.0
                self._do(act)

    def _do(self, act: Callable[[], Told | None]) -> None:
        try:
            told = act()
        except Exception as error:
            self._tell(Refused(error))
        else:
            if told is not None:
                self._tell(told)

    def _look(self) -> bool:
        """Tell what has changed; return whether anything could be seen."""
        try:
            sight = self._sight()
        except Exception as error:
            self._told = None
            # Once, not with every try.
            if str(error) != self._lost:
                self._lost = str(error)
                self._tell(Lost(error))
            return False
        self._lost = ""
        if sight is not None and sight != self._told:
            self._told = sight
            self._has_ended = sight.session.is_over
            self._tell(sight)
        return True

    def _sight(self) -> Sight | None:
        self._seen.poll()
        if self._seen.session is None:
            return None
        self._drafts |= {draft.slot: draft.text for draft in self._seen.drafts()}
        return Sight(
            self._seen.session,
            tuple(self._seen.questions),
            self._seen.marks(),
            len(self._seen.waiting()),
            dict(self._drafts),
            self._seen.seconds_left,
        )
