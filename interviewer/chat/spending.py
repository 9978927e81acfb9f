"""Counts what a session's language model costs, over all its runs, against a cap that is looked at between calls."""

from __future__ import annotations

from dataclasses import dataclass

from interviewer.chat.model import ChatModel, Usage
from interviewer.chat.paid import Paid


@dataclass(frozen=True)
class Cap:
    """Hold the most that a session may use; 0 is no cap. `tokens` counts where the model's price is not known."""

    usd: float = 0.0
    tokens: int = 0


class Purse:
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
        self._paid.keep_used(self.used)

    def why_over(self) -> str:
        """Return why no further call may be made, "" while the cap is not reached."""
        used = self.used
        if used.cost_usd is not None:
            is_over = 0 < self._cap.usd <= used.cost_usd
            return f"the cap of {self._cap.usd:g} USD a session is reached ({used})" if is_over else ""
        is_over = 0 < self._cap.tokens <= used.prompt_tokens + used.completion_tokens
        return f"the cap of {self._cap.tokens:,} tokens a session is reached ({used})" if is_over else ""
