"""The two seats that tabs may take, each behind a token of its own: what opens one opens nothing of the other."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

from interviewer.cli.serve.tab import Tab

TOKEN_BYTES = 32


@dataclass
class Seat:
    """Hold one seat: `app` is the command of one tab's process.

    `tabs` holds what runs, by the name of the tab. `kept` is what a tab opens again after a reload, "" for nothing.
    """

    app: Sequence[str]
    token: str = field(default_factory=lambda: secrets.token_urlsafe(TOKEN_BYTES))
    tabs: dict[str, Tab] = field(default_factory=dict)
    kept: dict[str, str] = field(default_factory=dict)

    def forget(self, name: str, tab: Tab) -> None:
        """Take a tab that has ended out, unless another has taken its name."""
        if self.tabs.get(name) is tab:
            del self.tabs[name]
