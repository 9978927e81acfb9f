"""Counts what language models cost, in a session and in a month, against caps that are looked at between calls."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from interviewer.chat.model import ChatModel, Usage

Elsewhere = Callable[[str], float]


def _forget(text: str) -> None:
    """Keep nothing beyond this object."""


def _nothing(month: str) -> float:
    """Return that no other session has cost anything."""
    return 0.0


class Payments:
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
            self.months[month] = self.cost_in_month(month, used)
            self.used = used
            self._write()

    def cost_in_month(self, month: str, used: Usage) -> float:
        """Return what this session has cost in a month, in US dollars, when it has used this much by now."""
        return self.months.get(month, 0.0) + max(0.0, (used.cost_usd or 0.0) - (self.used.cost_usd or 0.0))

    def _write(self) -> None:
        self._keep(json.dumps({"used": asdict(self.used), "months": self.months, "replies": self._replies}))


def month_of(at: float) -> str:
    """Return the month of a time in epoch seconds, by the clock of this place, as 2026-11."""
    return time.strftime("%Y-%m", time.localtime(at))


def month_cost(kept: str, month: str, kept_at: float) -> float:
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


@dataclass(frozen=True)
class Cap:
    """Hold the most that a session may use; 0 is no cap. `tokens` counts where the model's price is not known.

    `month_usd` is the most that all sessions and commands together may cost in a month.
    """

    usd: float = 0.0
    tokens: int = 0
    month_usd: float = 0.0


class Budget:
    """Know what the session has used so far. `paid` remembers what its earlier runs used."""

    def __init__(self, model: ChatModel | None, cap: Cap, paid: Payments) -> None:
        self._model = model
        self._cap = cap
        self._paid = paid
        self._earlier = paid.used
        # One model serves all sessions of a running app: what others used is not this one's.
        self._others = model.usage if model else Usage()

    @property
    def used(self) -> Usage:
        """Return what this session has used."""
        return self._earlier.plus(self._model.usage.since(self._others)) if self._model else self._earlier

    def keep(self) -> None:
        """Remember the use for the next run."""
        self._paid.keep_used(self.used, month_of(time.time()))

    def session_cap_reason(self) -> str:
        """Return why no further call may be made, "" while the cap is not reached."""
        if why := self.month_cap_reason():
            return why
        used = self.used
        if used.cost_usd is not None:
            is_over = 0 < self._cap.usd <= used.cost_usd
            return f"the session's cap of {self._cap.usd:g} USD is reached ({used})" if is_over else ""
        is_over = 0 < self._cap.tokens <= used.prompt_tokens + used.completion_tokens
        return f"the session's cap of {self._cap.tokens:,} tokens is reached ({used})" if is_over else ""

    def month_cap_reason(self) -> str:
        """Return why no further call may be made this month, whatever the session used; "" while there is none."""
        if not self._model or not self._cap.month_usd:
            return ""
        month = month_of(time.time())
        cost = self._paid.elsewhere(month) + self._paid.cost_in_month(month, self.used)
        return _month_words(self._cap.month_usd, cost, month) if cost >= self._cap.month_usd else ""


def _month_words(cap_usd: float, cost_usd: float, month: str) -> str:
    return f"the monthly cap of {cap_usd:g} USD is reached ({cost_usd:.4f} USD in {month} in total)"
