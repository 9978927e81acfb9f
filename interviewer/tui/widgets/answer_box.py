"""The answer box: enter sends, ctrl+j and alt+enter insert a line break, and a multi-line paste never sends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import TextArea

from interviewer.session.phrases import limit_note
from interviewer.tui.bindings import LONG_TEXT_KEYS
from interviewer.tui.text_format import folded, printable

LINE_CHARACTERS_MAX = 4_000
NEW_LINE_KEYS = ("ctrl+j", "alt+enter")
KEYS = "enter: send · ctrl+j: new line"


class AnswerBox(TextArea, inherit_bindings=False):
    """The text box for the answer; the screen clears it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *LONG_TEXT_KEYS,
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
    ]
    # The help screen lists these keys next to the bindings.
    TYPED_KEYS: ClassVar[Sequence[tuple[str, str]]] = (("enter", "Send"), (",".join(NEW_LINE_KEYS), "New line"))

    @dataclass
    class Sent(Message):
        """The candidate pressed enter to send the answer."""

        text: str

    @dataclass
    class Paged(Message):
        """The candidate pressed a key that scrolls the transcript by a page."""

        pages: int

    def __init__(self) -> None:
        super().__init__(id="answer", highlight_cursor_line=False, placeholder="Your answer")
        self.border_subtitle = KEYS

    def on_key(self, event: events.Key) -> None:
        """Send on enter instead of inserting a line break."""
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self.post_message(self.Sent(self.text))
        elif event.key in NEW_LINE_KEYS:
            # Handle the key here. With a binding, letters typed right after the key would be inserted before the line
            # break.
            event.stop()
            event.prevent_default()
            self.replace("\n", *sorted(self.selection), maintain_selection_offset=False)

    def on_text_area_changed(self) -> None:
        """Warn before sending if the end of a very long answer will not be judged."""
        self.border_subtitle = limit_note(len(self.text)) or KEYS

    def on_paste(self, event: events.Paste) -> None:
        """Remove control characters from pasted text, and wrap lines that are too long to draw."""
        event.text = folded(printable(event.text), LINE_CHARACTERS_MAX)

    def take_out(self, sent: str) -> None:
        """Remove the sent text; text typed since then is kept."""
        self.text = self.text.removeprefix(sent)
        self.move_cursor(self.document.end)

    def with_back(self, sent: str) -> str:
        """Return the sent answer followed by the text typed since then."""
        return printable("\n".join(text for text in (sent, self.text) if text))

    def action_page(self, pages: int) -> None:
        """Scroll the transcript by whole pages."""
        self.post_message(self.Paged(pages))
