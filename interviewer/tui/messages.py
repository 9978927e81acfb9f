"""The driver's Front as messages to a screen; once it is closed it aborts the driver before anything is recorded.

FrontClosed                 the screen was left; what was under way is done again on resume
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual.message import Message

from interviewer.session.move import Move


class FrontClosed(Exception):
    """Say that nobody watches any more."""


@dataclass
class WordsBegun(Message):
    """The interviewer began to speak."""

    move: Move


@dataclass
class WordsCame(Message):
    """More was said."""

    text: str


class WordsEnded(Message):
    """The interviewer has finished speaking."""


@dataclass
class BusyChanged(Message):
    """The driver waits for something, or "" no longer."""

    what: str


@dataclass
class WaitAsked(Message):
    """The language model asks to wait this long, or 0 when that is over."""

    seconds: float


@dataclass
class Noticed(Message):
    """The driver has a remark about the app itself."""

    text: str


class ScreenFront:
    """Post everything to one screen; safe to call from the driver's thread."""

    def __init__(self, post: Callable[[Message], object]) -> None:
        self._post = post
        self._is_closed = False

    def close(self) -> None:
        """Let the next word from the driver abort it.

        Aborting, not cutting short: a cut is an event, and one made by leaving would log a question nobody saw.
        """
        self._is_closed = True

    def words_begin(self, move: Move) -> None:
        """Post that the interviewer begins. Raises: FrontClosed."""
        self._tell(WordsBegun(move))

    def words_come(self, text: str) -> None:
        """Post more words. Raises: FrontClosed."""
        self._tell(WordsCame(text))

    def words_end(self) -> None:
        """Post that the interviewer has finished. Raises: FrontClosed."""
        self._tell(WordsEnded())

    def busy_with(self, what: str) -> None:
        """Post what the wait is for. Raises: FrontClosed."""
        self._tell(BusyChanged(what))

    def model_waits(self, seconds: float) -> None:
        """Post how long the language model asks to wait. Raises: FrontClosed."""
        self._tell(WaitAsked(seconds))

    def notice(self, text: str) -> None:
        """Post a remark. Raises: FrontClosed."""
        self._tell(Noticed(text))

    def _tell(self, message: Message) -> None:
        if self._is_closed:
            raise FrontClosed
        self._post(message)
