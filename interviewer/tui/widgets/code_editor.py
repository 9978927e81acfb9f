"""Where the candidate writes code: Python colours if the grammar is there, else plain text; tab is four spaces."""

from __future__ import annotations

from rich.style import Style
from textual import events
from textual.widgets import TextArea
from textual.widgets.text_area import TextAreaTheme

from interviewer.tui.printable import printable

INDENT = "    "
# The built-in light theme draws these in pale grey and green, at half the contrast that text needs.
LEGIBLE_ON_LIGHT = dict.fromkeys(("type", "type.class", "type.builtin", "constant.builtin"), Style(color="#6639ba"))


class CodeEditor(TextArea):
    """Hold the source of one task."""

    def __init__(self) -> None:
        super().__init__(id="code", tab_behavior="indent", show_line_numbers=True, max_checkpoints=200)

    def on_mount(self) -> None:
        """Colour Python, and follow the app's theme."""
        if self._has_grammar():
            self.language = "python"
        self.watch(self.app, "theme", self._follow_theme)

    def on_key(self, event: events.Key) -> None:
        """Keep the indentation on a new line; leave escape to the screen."""
        if event.key == "escape":
            event.prevent_default()
        elif event.key == "enter":
            event.stop()
            event.prevent_default()
            self.insert("\n" + self._indentation())

    def on_paste(self, event: events.Paste) -> None:
        """Keep characters that steer a terminal out of the text."""
        event.text = printable(event.text)

    def _indentation(self) -> str:
        row, column = self.cursor_location
        before = self.document.get_line(row)[:column]
        indent = before[: len(before) - len(before.lstrip(" \t"))]
        return indent + INDENT if before.rstrip().endswith(":") else indent

    def _has_grammar(self) -> bool:
        try:
            import tree_sitter_python  # noqa: F401
        except ImportError:
            return False
        return True

    def _follow_theme(self) -> None:
        """Take light or dark syntax colours; everything else of the editor's look comes from the stylesheet."""
        is_dark = self.app.current_theme.dark
        builtin = TextAreaTheme.get_builtin_theme("vscode_dark" if is_dark else "github_light")
        if builtin is not None:
            styles = builtin.syntax_styles | ({} if is_dark else LEGIBLE_ON_LIGHT)
            self.register_theme(TextAreaTheme("follow", syntax_styles=styles))
            # The name alone would not change, and the editor would keep the colours it has.
            self.theme = "css"
            self.theme = "follow"
