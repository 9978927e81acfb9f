"""The candidate's code as it is typed, for somebody else to read: it follows the change unless one scrolled away."""

from __future__ import annotations

from interviewer.tui.printable import printable
from interviewer.tui.widgets.code_editor import CodeEditor


class CodeMirror(CodeEditor):
    """Show code that another app holds."""

    def __init__(self) -> None:
        super().__init__()
        self.read_only = True

    def show(self, text: str) -> None:
        """Draw the text; only the lines that differ are changed, so that scroll and colours stay."""
        old, new = self.text.split("\n"), printable(text).split("\n")
        if old == new:
            return
        is_following = self.cursor_location[0] in self._lines_in_view()
        both = min(len(old), len(new))
        start = next((number for number in range(both) if old[number] != new[number]), both)
        same = next((number for number in range(both - start) if old[-1 - number] != new[-1 - number]), both - start)
        if start == 0:
            self.load_text("\n".join(new))
        else:
            # From the end of the line before: a line that is added or taken out takes its line end with it.
            first, last = ((place, len(old[place])) for place in (start - 1, len(old) - same - 1))
            self.replace("".join(f"\n{line}" for line in new[start : len(new) - same]), first, last)
        if is_following:
            self.move_cursor((max(min(start, len(new) - 1), len(new) - same - 1), 0))
