"""What the user chose and what the driver says, as Textual messages; a closed frontend aborts the driver.

FrontendClosed              the screen was left; the step that was under way is repeated on resume
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
    """The user chose an interview; `open_interview` makes or resumes it and may take seconds."""

    open_interview: Callable[[], Interview]


@dataclass
class DebriefChosen(Message):
    """The user chose to read the debrief of this session."""

    session: Session


class FrontendClosed(Exception):
    """Say that nobody watches any more."""


@dataclass
class SpeechStarted(Message):
    """The interviewer began to speak."""

    move: Move


@dataclass
class SpeechChunk(Message):
    """More was said."""

    text: str


class SpeechFinished(Message):
    """The interviewer has finished speaking."""


@dataclass
class BusyChanged(Message):
    """The driver waits for something, or "" no longer."""

    what: str


@dataclass
class ModelWaitChanged(Message):
    """The language model asks to wait this long, or 0 when that is over."""

    seconds: float


@dataclass
class NoticePosted(Message):
    """The driver has a remark about the app itself."""

    text: str


class ScreenFrontend:
    """Post everything to one screen; safe to call from the driver's thread."""

    def __init__(self, post: Callable[[Message], object]) -> None:
        self._post = post
        self._is_closed = False

    def close(self) -> None:
        """Let the next word from the driver abort it.

        Aborting, not cutting short: a cut is an event, and one made by leaving would log a question nobody saw.
        """
        self._is_closed = True

    def begin_message(self, move: Move) -> None:
        """Post that the interviewer begins. Raises: FrontendClosed."""
        self._send(SpeechStarted(move))

    def stream_text(self, text: str) -> None:
        """Post more words. Raises: FrontendClosed."""
        self._send(SpeechChunk(text))

    def end_message(self) -> None:
        """Post that the interviewer has finished. Raises: FrontendClosed."""
        self._send(SpeechFinished())

    def show_busy(self, what: str) -> None:
        """Post what the wait is for. Raises: FrontendClosed."""
        self._send(BusyChanged(what))

    def show_model_wait(self, seconds: float) -> None:
        """Post how long the language model asks to wait. Raises: FrontendClosed."""
        self._send(ModelWaitChanged(seconds))

    def notice(self, text: str) -> None:
        """Post a remark. Raises: FrontendClosed."""
        self._send(NoticePosted(text))

    def _send(self, message: Message) -> None:
        if self._is_closed:
            raise FrontendClosed
        self._post(message)
