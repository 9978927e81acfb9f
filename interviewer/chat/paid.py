"""What one session has paid for, its usage and the replies that came: resumed, it pays for none of them again.

The cost is kept by month, too, since a month's cap counts all sessions, and one session may run over its end.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from interviewer.chat.model import Usage

Elsewhere = Callable[[str], float]


def _forget(text: str) -> None:
    """Keep nothing beyond this object."""


def _nothing(month: str) -> float:
    """Return that no other session has cost anything."""
    return 0.0


class Paid:
    """Hold what a session has paid for. `kept` is what `keep` was last given, "" at first.

    `elsewhere` tells what all other sessions have cost in a month, in US dollars.
    """

    def __init__(self, kept: str = "", keep: Callable[[str], None] = _forget, elsewhere: Elsewhere = _nothing) -> None:
        held = _read(kept)
        replies = held.get("replies")
        self._replies: dict[str, Any] = replies if isinstance(replies, dict) else {}
        self._keep = keep
        self.elsewhere = elsewhere
        self.used = _usage(held.get("used"))
        self.months = _months(held)

    def reply(self, key: str) -> str:
        """Return the reply that came to this request, empty when none did."""
        found = self._replies.get(key)
        return found if isinstance(found, str) else ""

    def keep_reply(self, key: str, reply: str) -> None:
        """Keep a reply that was of use."""
        self._replies[key] = reply
        self._write()

    def keep_used(self, used: Usage, month: str) -> None:
        """Keep what the session has used so far, all its runs together; what is new was used in this month."""
        if used != self.used:
            self.months[month] = self.in_month(month, used)
            self.used = used
            self._write()

    def in_month(self, month: str, used: Usage) -> float:
        """Return what this session has cost in a month, in US dollars, when it has used this much by now."""
        return self.months.get(month, 0.0) + max(0.0, (used.cost_usd or 0.0) - (self.used.cost_usd or 0.0))

    def _write(self) -> None:
        self._keep(json.dumps({"used": asdict(self.used), "months": self.months, "replies": self._replies}))


def month_of(at: float) -> str:
    """Return the month of a time in epoch seconds, by the clock of this place, as 2026-11."""
    return time.strftime("%Y-%m", time.localtime(at))


def cost_in(kept: str, month: str, kept_at: float) -> float:
    """Return what a session has cost in a month, in US dollars, by what it kept last, and when.

    An earlier version kept no months: all of its cost counts for the month of its last call.
    """
    held = _read(kept)
    if "months" in held:
        return _months(held).get(month, 0.0)
    return _usage(held.get("used")).cost_usd or 0.0 if month_of(kept_at) == month else 0.0


def _read(kept: str) -> dict[str, Any]:
    try:
        held = json.loads(kept)
    except ValueError:
        return {}
    return held if isinstance(held, dict) else {}


def _usage(held: Any) -> Usage:
    try:
        return Usage(**held)
    except TypeError:
        return Usage()


def _months(held: dict[str, Any]) -> dict[str, float]:
    months = held.get("months")
    if not isinstance(months, dict):
        return {}
    return {month: float(cost) for month, cost in months.items() if isinstance(cost, int | float)}
