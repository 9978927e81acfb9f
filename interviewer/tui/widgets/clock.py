"""The time left, always as words and digits; colour only underlines what the words say."""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.tui.widgets.line import Line

INTERVIEW_WARNINGS = (10, 2)
CHALLENGE_WARNINGS = (10, 5, 1)
UNTIMED = "time is up · untimed"


class Clock(Line):
    """Draw the seconds left of the session."""

    def __init__(self, warn_minutes: Sequence[int] = INTERVIEW_WARNINGS) -> None:
        super().__init__("clock")
        self._warn_minutes = warn_minutes

    def show(self, seconds_left: float, minutes_planned: float, note: str = "") -> None:
        """Draw the time, or a note in its place; a warning is kept to sessions that are planned longer than it."""
        passed = warnings_passed(seconds_left, minutes_planned, self._warn_minutes)
        self.say(note or clock_text(seconds_left, minutes_planned, self._warn_minutes))
        self.set_class(bool(passed), "-soon")
        self.set_class(seconds_left < 60 * min(self._warn_minutes), "-now")


def warnings_passed(
    seconds_left: float, minutes_planned: float, warn_minutes: Sequence[int] = CHALLENGE_WARNINGS
) -> list[int]:
    """Return the warnings, in minutes, whose moment has come."""
    last = min(warn_minutes)
    return [one for one in warn_minutes if seconds_left < 60 * one and (one < minutes_planned or one == last)]


def clock_text(seconds_left: float, minutes_planned: float, warn_minutes: Sequence[int] = INTERVIEW_WARNINGS) -> str:
    """Return the time left in minutes and seconds, with a warning in words."""
    whole = int(abs(seconds_left))
    digits = f"{whole // 60}:{whole % 60:02d}"
    if seconds_left < 0:
        return f"{digits} over time"
    passed = warnings_passed(seconds_left, minutes_planned, warn_minutes)
    if not passed:
        return f"{digits} left"
    return f"{digits} left · under {min(passed)} minute{'s' * (min(passed) > 1)}"
