"""An app that redraws its whole screen as fast as it can, as a streaming answer does; started as a tab's process."""

from __future__ import annotations

import io

from textual.app import App, ComposeResult
from textual.widgets import Static


class FloodApp(App[None]):
    """Draw endlessly; a key offers a file for download."""

    def compose(self) -> ComposeResult:
        yield Static()

    def on_mount(self) -> None:
        self._number = 0
        self.set_interval(0.002, self._draw)

    def on_key(self) -> None:
        self.deliver_text(io.StringIO("kept"), save_filename="notes.txt")

    def _draw(self) -> None:
        self._number += 1
        letter = "abcdefghij"[self._number % 10]
        self.query_one(Static).update("\n".join(letter * self.size.width for _ in range(self.size.height)))


if __name__ == "__main__":
    FloodApp().run()
