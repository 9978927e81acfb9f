"""What a screen tells the app that the user chose; only the app opens other screens from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from interviewer.interview.runner import Interview
    from interviewer.session.state import Session


@dataclass
class InterviewChosen(Message):
    """The user chose an interview; `open_interview` makes or resumes it and may take seconds."""

    open_interview: Callable[[], Interview]


@dataclass
class DebriefChosen(Message):
    """The user chose to read the debrief of this session."""

    session: Session
