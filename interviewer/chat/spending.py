"""Counts what language models cost, in a session and in a month, against caps that are looked at between calls."""

from __future__ import annotations

import time
from dataclasses import dataclass

from interviewer.chat.model import ChatModel, Usage
from interviewer.chat.paid import Paid, month_of


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

    def __init__(self, model: ChatModel | None, cap: Cap, paid: Paid) -> None:
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

    def why_over(self) -> str:
        """Return why no further call may be made, "" while the cap is not reached."""
        if why := self.why_over_month():
            return why
        used = self.used
        if used.cost_usd is not None:
            is_over = 0 < self._cap.usd <= used.cost_usd
            return f"the cap of {self._cap.usd:g} USD a session is reached ({used})" if is_over else ""
        is_over = 0 < self._cap.tokens <= used.prompt_tokens + used.completion_tokens
        return f"the cap of {self._cap.tokens:,} tokens a session is reached ({used})" if is_over else ""

    def why_over_month(self) -> str:
        """Return why no further call may be made this month, whatever the session used; "" while there is none."""
        if not self._model or not self._cap.month_usd:
            return ""
        month = month_of(time.time())
        cost = self._paid.elsewhere(month) + self._paid.in_month(month, self.used)
        return _month_words(self._cap.month_usd, cost, month) if cost >= self._cap.month_usd else ""


def _month_words(cap_usd: float, cost_usd: float, month: str) -> str:
    return f"the cap of {cap_usd:g} USD a month is reached ({cost_usd:.4f} USD in {month}, all together)"
