"""The attempts at one task with verdict and time, and what came of the one under the cursor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from graders.verdict import Verdict
from interviewer.session.state import Attempt
from interviewer.tui.printable import in_words, minutes_text
from interviewer.tui.widgets.verdict_view import VerdictView

NONE_YET = "No attempt yet. ctrl+s submits the code; you may submit as often as you like."
NONE_MADE = "Nothing was submitted."


class AttemptList(OptionList):
    """List attempts, latest first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", "Diff"),
        Binding("space", "mark", "Diff from here", show=False),
    ]

    @dataclass
    class Marked(Message):
        """An attempt was chosen to compare others with."""

        number: int

    def action_mark(self) -> None:
        """Post which attempt is under the cursor."""
        option = self.highlighted_option
        if option is not None and option.id is not None:
            self.post_message(self.Marked(int(option.id)))


class AttemptsView(Vertical):
    """Draw the attempts at the task that runs; enter compares one with the marked one, or with the one before it."""

    @dataclass
    class Compared(Message):
        """Two attempts are to be compared, by number."""

        before: int
        after: int

    def __init__(self) -> None:
        super().__init__(id="attempts")
        self._attempts: Sequence[Attempt] = ()
        self._times: Sequence[float | None] = ()
        self._marked = 0

    def compose(self) -> ComposeResult:
        """Yield the result of a finished challenge, the list and the verdict."""
        yield Static("", id="result", markup=False)
        yield Static(NONE_YET, id="no-attempts", markup=False)
        yield AttemptList(id="attempt-list", compact=True)
        yield VerdictView()

    def show(self, attempts: Sequence[Attempt], times: Sequence[float | None], result: Content | None) -> None:
        """Draw these attempts; the cursor moves to a new one."""
        is_new = len(attempts) != len(self._attempts)
        rows = self.query_one(AttemptList)
        at = 0 if is_new else rows.highlighted
        self._attempts, self._times = attempts, times
        self._marked = min(self._marked, len(attempts))
        self.query_one("#result", Static).update(result or "")
        self.query_one("#result").display = result is not None
        self.query_one("#no-attempts", Static).update(NONE_MADE if result else NONE_YET)
        self.query_one("#no-attempts").display = not attempts
        rows.display = bool(attempts)
        rows.clear_options()
        rows.add_options(self._options())
        rows.highlighted = at if attempts else None
        self._show_verdict(len(attempts) - (at or 0))

    def on_attempt_list_marked(self, message: AttemptList.Marked) -> None:
        """Compare with this attempt from now on; again takes the mark away."""
        message.stop()
        self._marked = 0 if self._marked == message.number else message.number
        rows = self.query_one(AttemptList)
        at = rows.highlighted
        rows.clear_options()
        rows.add_options(self._options())
        rows.highlighted = at

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show what came of the attempt under the cursor."""
        event.stop()
        self._show_verdict(int(event.option_id or 0))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Ask for the comparison."""
        event.stop()
        number = int(event.option_id or 0)
        before = self._marked if self._marked and self._marked != number else number - 1
        self.post_message(self.Compared(min(before, number), max(before, number)))

    def _options(self) -> list[Option]:
        numbers = range(len(self._attempts), 0, -1)
        return [Option(self._row(number), id=str(number)) for number in numbers]

    def _row(self, number: int) -> Content:
        seconds = self._times[number - 1] if number <= len(self._times) else None
        when = "untimed" if seconds is None else f"at {minutes_text(seconds)}"
        mark = "  diff from here" if number == self._marked else ""
        return Content.assemble(f"#{number}  ", _verdict(self._attempts[number - 1]), (f"  {when}", "$secondary"), mark)

    def _show_verdict(self, number: int) -> None:
        attempt = self._attempts[number - 1] if 1 <= number <= len(self._attempts) else None
        self.query_one(VerdictView).show(attempt, number)


def _verdict(attempt: Attempt) -> str:
    if attempt.report is None:
        return "ungraded: the grader failed" if attempt.failure else "runs …"
    cases = attempt.report.cases
    passed = sum(case.verdict is Verdict.PASSED for case in cases)
    sign = "✓" if attempt.report.verdict is Verdict.PASSED else "✗"
    return f"{sign} {in_words(attempt.report.verdict.value)}, {passed} of {len(cases)} cases"
