"""Keeps what is being typed: a draft is on disk at most DELAY_SECONDS after the key, also while typing never pauses."""

from __future__ import annotations

from collections.abc import Callable

DELAY_SECONDS = 0.3


class Drafts:
    """Collect texts by slot and save each once per delay."""

    def __init__(self, save: Callable[[str, str], None], after: Callable[[float, Callable[[], None]], object]) -> None:
        self._save = save
        self._after = after
        self._unsaved: dict[str, str] = {}

    def note(self, slot: str, text: str) -> None:
        """Take a new text; it is saved when the delay is over."""
        # The delay is not restarted by each key: steady typing would then never be saved.
        if not self._unsaved:
            self._after(DELAY_SECONDS, self.flush)
        self._unsaved[slot] = text

    def flush(self) -> None:
        """Save everything now."""
        unsaved, self._unsaved = self._unsaved, {}
        for slot, text in unsaved.items():
            self._save(slot, text)
