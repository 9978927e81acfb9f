"""Which screen holds a session; imported when one is opened, so that home starts without them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interviewer.interview.challenge import Challenge
from interviewer.interview.runner import Interview
from interviewer.tui.screens.challenge import ChallengeScreen
from interviewer.tui.screens.interview import InterviewScreen
from interviewer.tui.screens.session import StageScreen

if TYPE_CHECKING:
    from interviewer.interview.context import Kit


def stage_for(interview: Interview, kit: Kit) -> StageScreen:
    """Return the screen for an interview or a challenge."""
    return ChallengeScreen(interview, kit) if isinstance(interview, Challenge) else InterviewScreen(interview)
