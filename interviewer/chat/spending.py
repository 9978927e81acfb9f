"""Tracks the cost of language models per session and per month; the caps are checked between calls."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from interviewer.chat.model import Usage

Elsewhere = Callable[[str], float]


def _forget(text: str) -> None:
    """Discard the text instead of saving it, so that payments are kept only in memory."""


def _nothing(month: str) -> float:
    """Return 0: no other session has cost anything."""
    return 0.0


class Payments:
    """A session's paid replies and usage. `kept` is the text last passed to `keep`, "" at first.

    `elsewhere` returns the cost of all other sessions in a month, in US dollars.
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
        """Return the stored reply to this request; empty if no reply is stored."""
        found = self._replies.get(key)
        return found if isinstance(found, str) else ""

    def keep_reply(self, key: str, reply: str) -> None:
        """Store a usable reply."""
        self._replies[key] = reply
        self._write()

    def keep_used(self, used: Usage, month: str) -> None:
        """Store the session's total usage over all its runs; any increase counts toward this month."""
        if used != self.used:
            self.months[month] = self.cost_in_month(month, used)
            self.used = used
            self._write()

    def cost_in_month(self, month: str, used: Usage) -> float:
        """Return the session's cost, in US dollars, in the given month; `used` is the session's total usage so far."""
        return self.months.get(month, 0.0) + max(0.0, used.known_usd - self.used.known_usd)

    def _write(self) -> None:
        self._keep(json.dumps({"used": asdict(self.used), "months": self.months, "replies": self._replies}))


def month_of(at: float) -> str:
    """Convert seconds since 1970 to the local month, for example 2026-11."""
    return time.strftime("%Y-%m", time.localtime(at))


def month_cost(kept: str, month: str, kept_at: float) -> float:
    """Return how much a session cost in `month`, in US dollars.

    `kept` is the session's payments record, and `kept_at` is the time when it was saved. A record from an earlier
    version of the app contains no costs per month. Its whole cost is attributed to the month in which it was saved,
    which is the month of the session's last call.
    """
    held = _read(kept)
    if "months" in held:
        return _months(held).get(month, 0.0)
    return _usage(held.get("used")).known_usd if month_of(kept_at) == month else 0.0


def month_record(month: str, cost_usd: float) -> str:
    """Return a payments record that contains only the cost of one month, in US dollars."""
    return json.dumps({"months": {month: cost_usd}})


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
    """The caps for a session; 0 means no cap. `tokens` applies if the price of any call is unknown.

    `month_usd` limits the monthly total of all sessions and commands.
    """

    usd: float = 0.0
    tokens: int = 0
    month_usd: float = 0.0


class Spender(Protocol):
    """The source of the calls: one chat model, or several models that share a budget."""

    @property
    def usage(self) -> Usage:
        """Return the total usage of all calls."""
        ...


class Budget:
    """The session's usage compared with its cap. `paid` stores the usage of the session's earlier runs."""

    def __init__(self, model: Spender | None, cap: Cap, paid: Payments) -> None:
        self._model = model
        self._cap = cap
        self._paid = paid
        self._earlier = paid.used
        # One chat model object serves all sessions of a running app, so subtract the usage of earlier sessions.
        self._others = model.usage if model else Usage()

    @property
    def used(self) -> Usage:
        """Return the usage of this session."""
        return self._earlier.plus(self._model.usage.since(self._others)) if self._model else self._earlier

    def keep(self) -> None:
        """Store the usage for the next run."""
        self._paid.keep_used(self.used, month_of(time.time()))

    def session_cap_reason(self) -> str:
        """Return why no further call is allowed; "" if no cap has been reached."""
        if why := self.month_cap_reason():
            return why
        used = self.used
        if 0 < self._cap.usd <= used.known_usd:
            return f"the session's cap of {self._cap.usd:g} USD has been reached ({used})"
        is_over = used.cost_usd is None and 0 < self._cap.tokens <= used.prompt_tokens + used.completion_tokens
        return f"the session's cap of {self._cap.tokens:,} tokens has been reached ({used})" if is_over else ""

    def month_cap_reason(self) -> str:
        """Return why no further call is allowed this month, regardless of the session; "" if calls are allowed."""
        if not self._model or not self._cap.month_usd:
            return ""
        month = month_of(time.time())
        cost = self._paid.elsewhere(month) + self._paid.cost_in_month(month, self.used)
        return _month_words(self._cap.month_usd, cost, month) if cost >= self._cap.month_usd else ""


def _month_words(cap_usd: float, cost_usd: float, month: str) -> str:
    return f"the monthly cap of {cap_usd:g} USD has been reached (total for {month}: {cost_usd:.4f} USD)"
