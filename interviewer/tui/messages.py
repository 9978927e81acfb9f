"""Textual messages for user choices and the runner's output. A closed front end aborts the runner.

FrontendClosed              the screen was closed; the interrupted step is repeated on resume
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from interviewer.interview.runner import Interview
    from interviewer.session.move import Move
    from interviewer.session.state import Session


@dataclass
class InterviewChosen(Message):
    """The user chose an interview; `open_interview` creates or resumes it and may take seconds."""

    open_interview: Callable[[], Interview]


@dataclass
class DebriefChosen(Message):
    """The user chose to read the debrief of this session."""

    session: Session


class FrontendClosed(Exception):
    """The session screen was closed."""


@dataclass
class SpeechStarted(Message):
    """The interviewer started a message."""

    move: Move


@dataclass
class SpeechChunk(Message):
    """The next piece of the interviewer's message."""

    text: str


class SpeechFinished(Message):
    """The interviewer finished the message."""


@dataclass
class BusyChanged(Message):
    """The runner is waiting for something; "" when the wait is over."""

    what: str


@dataclass
class ModelWaitChanged(Message):
    """The language model's rate limit requires a wait of this many seconds; 0 when the wait is over."""

    seconds: float


@dataclass
class NoticePosted(Message):
    """The runner has a message about the app itself."""

    text: str


class ScreenFrontend:
    """Posts the runner's output to a screen; safe to call from the runner's thread."""

    def __init__(self, post: Callable[[Message], object]) -> None:
        self._post = post
        self._is_closed = False

    def close(self) -> None:
        """Make the runner's next call raise FrontendClosed.

        The runner is aborted, not interrupted: an interruption is logged as an event, so leaving the screen would log a
        question that the candidate never saw.
        """
        self._is_closed = True

    def begin_message(self, move: Move) -> None:
        """Post the start of a message. Raises FrontendClosed if the screen was closed."""
        self._send(SpeechStarted(move))

    def stream_text(self, text: str) -> None:
        """Post the next piece of the message. Raises FrontendClosed if the screen was closed."""
        self._send(SpeechChunk(text))

    def end_message(self) -> None:
        """Post the end of the message. Raises FrontendClosed if the screen was closed."""
        self._send(SpeechFinished())

    def show_busy(self, what: str) -> None:
        """Post a description of what the candidate is waiting for. Raises FrontendClosed if the screen was closed."""
        self._send(BusyChanged(what))

    def show_model_wait(self, seconds: float) -> None:
        """Post the number of seconds to wait because of the language model's rate limit.

        Ignored after the screen was closed: the model outlives the screen, and also writes for the debrief.
        """
        if not self._is_closed:
            self._post(ModelWaitChanged(seconds))

    def notice(self, text: str) -> None:
        """Post a message about the app itself. Ignored after the screen was closed, like `show_model_wait`."""
        if not self._is_closed:
            self._post(NoticePosted(text))

    def _send(self, message: Message) -> None:
        if self._is_closed:
            raise FrontendClosed
        self._post(message)
