"""The time left, always as words and digits; colour only underlines what the words say."""

from __future__ import annotations

from textual.widgets import Static

WARN_SECONDS = (600.0, 120.0)


class Clock(Static):
    """Draw the seconds left of the session."""

    def __init__(self) -> None:
        super().__init__("", id="clock", markup=False)

    def show(self, seconds_left: float, minutes_planned: float) -> None:
        """Draw the time. A warning at ten minutes is kept to sessions that are planned longer than that."""
        self.update(clock_text(seconds_left, minutes_planned))
        self.set_class(seconds_left < WARN_SECONDS[0] < 60 * minutes_planned, "-soon")
        self.set_class(seconds_left < WARN_SECONDS[1], "-now")


def clock_text(seconds_left: float, minutes_planned: float) -> str:
    """Return the time left in minutes and seconds, with a warning in words."""
    whole = int(abs(seconds_left))
    digits = f"{whole // 60}:{whole % 60:02d}"
    if seconds_left < 0:
        return f"{digits} over time"
    if seconds_left < WARN_SECONDS[1]:
        return f"{digits} left · under 2 minutes"
    if seconds_left < WARN_SECONDS[0] < 60 * minutes_planned:
        return f"{digits} left · under 10 minutes"
    return f"{digits} left"
