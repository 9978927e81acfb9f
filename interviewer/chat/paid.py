"""What one session has paid for, its usage and the replies that came: resumed, it pays for none of them again."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from interviewer.chat.model import Usage

PAID_SLOT = "paid"


def _forget(text: str) -> None:
    """Keep nothing beyond this object."""


class Paid:
    """Hold what a session has paid for. `kept` is what `keep` was last given, "" at first."""

    def __init__(self, kept: str = "", keep: Callable[[str], None] = _forget) -> None:
        held = _read(kept)
        replies = held.get("replies")
        self._replies: dict[str, Any] = replies if isinstance(replies, dict) else {}
        self._keep = keep
        self.used = _usage(held.get("used"))

    def reply(self, key: str) -> str:
        """Return the reply that came to this request, empty when none did."""
        found = self._replies.get(key)
        return found if isinstance(found, str) else ""

    def keep_reply(self, key: str, reply: str) -> None:
        """Keep a reply that was of use."""
        self._replies[key] = reply
        self._write()

    def keep_used(self, used: Usage) -> None:
        """Keep what the session has used so far, all its runs together."""
        if used != self.used:
            self.used = used
            self._write()

    def _write(self) -> None:
        self._keep(json.dumps({"used": asdict(self.used), "replies": self._replies}))


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
