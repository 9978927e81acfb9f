"""Where the candidate types: enter sends, ctrl+j and alt+enter make a new line, a paste stays whole and never sends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import TextArea

from interviewer.tui.bindings import LONG_TEXT_KEYS
from interviewer.tui.text_format import folded, printable

LINE_CHARACTERS_MAX = 4_000
NEW_LINE_KEYS = ("ctrl+j", "alt+enter")


class AnswerBox(TextArea):
    """Hold the answer being typed; keeps its text until the screen clears it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "page(-1)", "Scroll up", show=False),
        Binding("pagedown", "page(1)", "Scroll down", show=False),
        *LONG_TEXT_KEYS,
    ]
    # Listed by the help beside the bindings.
    TYPED_KEYS: ClassVar[Sequence[tuple[str, str]]] = (("enter", "Send"), (",".join(NEW_LINE_KEYS), "New line"))

    @dataclass
    class Sent(Message):
        """The candidate pressed enter."""

        text: str

    @dataclass
    class Paged(Message):
        """The candidate wants to read another page of the transcript."""

        pages: int

    def __init__(self) -> None:
        super().__init__(id="answer", highlight_cursor_line=False, placeholder="Your answer")
        self.border_subtitle = "enter: send · ctrl+j: new line"

    def on_key(self, event: events.Key) -> None:
        """Send on enter instead of inserting a line end, which other keys do."""
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self.post_message(self.Sent(self.text))
        elif event.key in NEW_LINE_KEYS:
            # Here and not as a binding: a binding runs late, after the letters that were typed behind it.
            event.stop()
            event.prevent_default()
            self.insert("\n")

    def on_paste(self, event: events.Paste) -> None:
        """Keep characters that steer a terminal out of the text, and lines to a length that can be drawn."""
        event.text = folded(printable(event.text), LINE_CHARACTERS_MAX)

    def take_out(self, sent: str) -> None:
        """Take the sent text out; what was typed since then stays."""
        self.text = self.text.removeprefix(sent)
        self.move_cursor(self.document.end)

    def with_back(self, sent: str) -> str:
        """Return the text with an answer that was sent in front of what was typed since."""
        return printable("\n".join(text for text in (sent, self.text) if text))

    def action_page(self, pages: int) -> None:
        """Ask for another page of the transcript."""
        self.post_message(self.Paged(pages))
