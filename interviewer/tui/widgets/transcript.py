"""The conversation so far with speaker labels, streamed in batches.

The session's turns determine which messages stay visible.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Markdown, Static
from textual.widgets.markdown import MarkdownStream

from interviewer.session.move import MoveKind
from interviewer.session.state import Turn
from interviewer.tui.latex import FormulaText
from interviewer.tui.text_format import printable, shortened
from interviewer.tui.widgets.markdown import QuotedText, SafeMarkdown

# Each write triggers a new layout of the last block. Eight writes per second look smooth and cost a third of what one
# write per token would cost.
FLUSH_SECONDS = 0.12
SHOWN_CHARACTERS_MAX = 6_000


class TurnView(Vertical):
    """A message with a label for its speaker."""

    def __init__(self, text: str, move: MoveKind | None, *, is_cut: bool = False, candidate: str = "You") -> None:
        super().__init__(classes="-interviewer" if move else "-candidate")
        self.text = text
        shown = shortened(printable(text), SHOWN_CHARACTERS_MAX)
        # An observer's words are untrusted input, like the candidate's.
        is_ours = move is not None and move is not MoveKind.OBSERVER
        self.words: SafeMarkdown | Static = (
            SafeMarkdown(QuotedText(move).feed(shown)) if is_ours else Static(shown, classes="words", markup=False)
        )
        self.move = move
        self._is_cut = is_cut
        self._candidate = candidate

    def compose(self) -> ComposeResult:
        """Yield the label and the words; the candidate's and an observer's words are never parsed as markup."""
        yield Static(self._label(), classes="label", markup=False)
        yield self.words

    def mark_cut(self) -> None:
        """Show in the label that the message was interrupted."""
        self._is_cut = True
        self.query_one(".label", Static).update(self._label())

    def _label(self) -> str:
        who = "Interviewer" if self.move else self._candidate
        if self.move in {MoveKind.HINT, MoveKind.OBSERVER}:
            who += f" · {self.move}"
        return f"{who} · stopped" if self._is_cut else who


class Transcript(VerticalScroll):
    """The conversation, including the message being streamed; the view stays at the end until the user scrolls up."""

    def __init__(self, candidate: str = "You") -> None:
        super().__init__(id="transcript")
        self._candidate = candidate
        self._shown = 0
        self._live: TurnView | None = None
        self._stream: MarkdownStream | None = None
        self._unwritten = ""
        self._quoted = QuotedText()
        self._formulas = FormulaText()

    def on_mount(self) -> None:
        """Scroll down as new text arrives, and draw incoming text at a fixed rate."""
        self.anchor()
        self.set_interval(FLUSH_SECONDS, self._flush)

    async def show(self, turns: Sequence[Turn]) -> None:
        """Draw the turns not yet drawn; the message that was just streamed is reused for the turn that records it."""
        if len(turns) < self._shown:
            # An answer was retracted: remove it and the reply to it.
            await self._drop_live()
            for view in [*self.query(TurnView)][len(turns) :]:
                await view.remove()
            self._shown = len(turns)
        for turn in turns[self._shown :]:
            if self._live is not None and turn.is_interviewer and turn.text == self._live.text:
                if turn.is_cut:
                    self._live.mark_cut()
                self._live = None
            else:
                await self._drop_live()
                await self._append(TurnView(turn.text, turn.move, is_cut=turn.is_cut, candidate=self._candidate))
        self._shown = len(turns)

    def turn_pages(self, pages: int) -> None:
        """Scroll by whole pages; at the end, follow new text again."""
        self.scroll_relative(y=pages * max(1, self.size.height - 2), animate=False, immediate=True)
        if pages > 0 and self.scroll_y >= self.max_scroll_y:
            self.anchor()

    async def begin(self, move: MoveKind) -> None:
        """Start a message from the interviewer; its text is appended later."""
        await self._drop_live()
        self._live = TurnView("", move)
        await self._append(self._live)
        self._quoted, self._formulas = QuotedText(move), FormulaText()
        if isinstance(self._live.words, Markdown):
            self._stream = Markdown.get_stream(self._live.words)

    def write(self, text: str) -> None:
        """Append text, which is drawn with the next batch."""
        if self._live is not None:
            self._live.text += text
            self._unwritten += text

    async def end(self) -> None:
        """Draw the text that has not been drawn yet."""
        await self._flush()
        if self._stream is not None:
            if rest := self._formulas.finish():
                await self._stream.write(rest)
            await self._stream.stop()
            if self._live is not None and isinstance(self._live.words, SafeMarkdown):
                self._live.words.text = QuotedText(self._live.move).feed(printable(self._live.text))
            self._stream = None
        elif self._live is not None and isinstance(self._live.words, Static):
            self._live.words.update(shortened(printable(self._live.text), SHOWN_CHARACTERS_MAX))

    async def drop_unfinished(self) -> None:
        """Remove a message that is not part of any turn because the session ended before the message was complete."""
        await self.end()
        await self._drop_live()

    async def _flush(self) -> None:
        text, self._unwritten = self._quoted.feed(printable(self._unwritten)), ""
        if text and self._stream is not None and (ready := self._formulas.feed(text)):
            await self._stream.write(ready)

    async def _append(self, view: TurnView) -> None:
        # Textual raises if a widget is mounted while the app is exiting.
        if self.is_attached:
            await self.mount(view)

    async def _drop_live(self) -> None:
        if self._live is not None:
            await self._live.remove()
            self._live = None


def transcript_text(turns: Sequence[Turn]) -> str:
    """Return the conversation as text, each turn with the name of its speaker."""
    return "\n\n".join(f"{'Interviewer' if turn.is_interviewer else 'You'}: {turn.text}" for turn in turns) + "\n"
