"""Keeps what is being typed: a draft is on disk at most DELAY_SECONDS after the key, also while typing never pauses."""

from __future__ import annotations

from collections.abc import Callable

DELAY_SECONDS = 0.3


class Drafts:
    """Collect texts by slot and save each once per delay. `save` returns whether it did; what it did not is kept."""

    def __init__(self, save: Callable[[str, str], bool], after: Callable[[float, Callable[[], None]], object]) -> None:
        self._save = save
        self._after = after
        self._unsaved: dict[str, str] = {}
        self._is_due = False

    def note(self, slot: str, text: str) -> None:
        """Take a new text; it is saved when the delay is over."""
        # The delay is not restarted by each key: steady typing would then never be saved.
        if not self._is_due:
            self._is_due = True
            self._after(DELAY_SECONDS, self.flush)
        self._unsaved[slot] = text

    def flush(self) -> None:
        """Save everything now."""
        self._is_due = False
        self._unsaved = {slot: text for slot, text in self._unsaved.items() if not self._save(slot, text)}
