"""A line that is told every second: it is drawn when it changed, and laid out when its width did."""

from __future__ import annotations

from rich.cells import cell_len
from textual.widgets import Static


class Line(Static):
    """Draw plain text of one line; the whole screen is laid out anew for it only where that can change anything."""

    def __init__(self, id: str) -> None:
        super().__init__("", id=id, markup=False)

    def say(self, text: str) -> None:
        """Draw this text, if it is another one."""
        before = str(self.content)
        if text != before:
            self.update(text, layout=cell_len(text) != cell_len(before))
