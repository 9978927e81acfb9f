"""A question's points, which the candidate can mark (`SelfMarks`) and an observer can follow (`RubricView`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.markup import escape
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Button, OptionList, Static
from textual.widgets.option_list import Option

from interviewer.interview.observer_client import RubricRow, mark_label
from interviewer.session.assessment import State
from interviewer.session.phrases import HEARD
from interviewer.session.question import Point, Question
from interviewer.session.state import Credit, Drill
from interviewer.tui.text_format import printable, shortened

QUOTE_CHARACTERS_MAX = 200
_OWN_TICKS = {True: "[x]", False: "[ ]"}
_MOVES = (
    Binding("down", "app.focus_next", "Next point", show=False),
    Binding("up", "app.focus_previous", "Previous point", show=False),
)

_OBSERVER_TICKS = {State.SHOWN: "[x]", State.MISSING: "[-]", None: "[ ]"}


class PointRow(Vertical, can_focus=True):
    """A point with its checkbox and quote; it draws its own checkbox, because Textual's truncates long lines."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "tick", "Mark"),
        Binding("a", "appeal", "Appeal"),
        *_MOVES,
    ]
    is_ticked = reactive(False, init=False)

    @dataclass
    class Appealing(Message):
        """The candidate contests the finding for a point."""

        point: str

    def __init__(self, point: Point, credit: Credit | None, appeal: str) -> None:
        super().__init__()
        self._appeal = appeal
        self.point_id = point.id
        self._says = printable(" ".join(point.for_judge.split()))
        self._credit = credit
        self.set_reactive(PointRow.is_ticked, credit is not None and credit.state.credit > 0)

    def compose(self) -> ComposeResult:
        """Yield the checkbox, the point and the quote."""
        with Horizontal():
            yield Static(_OWN_TICKS[self.is_ticked], classes="tick", markup=False)
            yield Static(self._says, classes="says", markup=False)
        yield Static(_heard(self._credit), classes="heard", markup=False)
        yield Static("", classes="heard appeal", markup=False)

    def on_mount(self) -> None:
        """Show an existing appeal."""
        self.show_appeal(self._appeal)

    def show_appeal(self, why: str) -> None:
        """Show the appeal below the quote; "" hides it."""
        self._appeal = why
        # Before the first draw, these widgets do not exist yet; `on_mount` will show the stored appeal.
        for line in self.query(".appeal").results(Static):
            line.update(f"your appeal: {printable(why)}")
            line.display = bool(why)

    def watch_is_ticked(self, is_ticked: bool) -> None:
        """Update the checkbox."""
        self.query_one(".tick", Static).update(_OWN_TICKS[is_ticked])

    def on_click(self) -> None:
        """Tick or untick."""
        self.action_tick()

    def action_tick(self) -> None:
        """Tick or untick."""
        self.is_ticked = not self.is_ticked

    def action_appeal(self) -> None:
        """Start an appeal of the finding."""
        self.post_message(self.Appealing(self.point_id))


class SelfMarks(Vertical):
    """Let the candidate confirm or correct the marks for a question."""

    @dataclass
    class Confirmed(Message):
        """The candidate confirmed the marks, which map each point to whether it was covered."""

        covered: Mapping[str, bool]

    def __init__(self, question: Question, drill: Drill) -> None:
        super().__init__(id="marks")
        self._question = question
        self._drill = drill

    def compose(self) -> ComposeResult:
        """Yield the instructions, a row for each point, and the confirm button."""
        yield Static(f"Your own marks: {printable(self._question.title)}", classes="title", markup=False)
        yield Static(
            "Tick the points you made, even if you worded them differently. The points I heard are already ticked. "
            "Your own checkmarks are stored separately. Press a to say why a finding is wrong.",
            classes="hint",
            markup=False,
        )
        with VerticalScroll(can_focus=False):
            for point in self._question.points:
                yield PointRow(point, self._drill.credit_of(point.id), self._drill.appeal_of(point.id))
        yield Button("Confirm marks", id="confirm", compact=True)

    def on_mount(self) -> None:
        """Focus the first point."""
        self.query(PointRow).first().focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Confirm the marks."""
        event.stop()
        self.confirm()

    def show(self, drill: Drill) -> None:
        """Update the appeals, but leave the marks unchanged."""
        for row in self.query(PointRow):
            row.show_appeal(drill.appeal_of(row.point_id))

    def confirm(self) -> None:
        """Post a message with the current marks."""
        self.post_message(self.Confirmed({row.point_id: row.is_ticked for row in self.query(PointRow)}))


def _heard(credit: Credit | None) -> str:
    if credit is None or not credit.quote:
        return "not heard"
    quote = shortened(printable(" ".join(credit.quote.split())), QUOTE_CHARACTERS_MAX)
    return f"{HEARD[credit.state]} “{quote}”"


class RubricView(OptionList):
    """A list of points to mark, and of answers to read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,enter", "select", "Mark"),
        Binding("left", "turn(-1)", "Previous question"),
        Binding("right", "turn(1)", "Next question"),
    ]

    @dataclass
    class Ticked(Message):
        """The observer marked a point."""

        question: str
        point: str
        state: State

    @dataclass
    class Turned(Message):
        """The observer wants the previous (-1) or the next (1) question."""

        step: int

    def __init__(self) -> None:
        super().__init__(id="rubric")
        self._question: Question | None = None
        self._rows: Sequence[RubricRow] = ()

    def show(self, question: Question, rows: Sequence[RubricRow], number: int, count: int) -> None:
        """Show question `number` of `count`; the cursor stays on the same point."""
        if (question, rows) == (self._question, self._rows):
            return
        is_other, self._question, self._rows = question != self._question, question, rows
        self.border_title = f"{escape(printable(question.title))} · {number} of {count}"
        if not is_other:
            for place, row in enumerate(rows):
                self.replace_option_prompt_at_index(place, _point_content(row))
            return
        self.clear_options()
        self.add_options(
            [*(Option(_point_content(row)) for row in rows), *(Option(answer) for answer in _answers(question))]
        )
        self.highlighted = 0

    def action_turn(self, step: int) -> None:
        """Post a request for the previous or the next question."""
        self.post_message(self.Turned(step))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Toggle the mark on a point; answers cannot be marked."""
        event.stop()
        if self._question is not None and event.option_index < len(self._rows):
            row = self._rows[event.option_index]
            state = State.MISSING if row.observer is State.SHOWN else State.SHOWN
            self.post_message(self.Ticked(self._question.id, row.point.id, state))


def _point_content(row: RubricRow) -> Content:
    says = printable(" ".join(row.point.for_judge.split()))
    marks = (
        f"examiner {mark_label(row.machine)} · candidate {mark_label(row.own)} · observer {mark_label(row.observer)}"
    )
    tick = _OBSERVER_TICKS.get(row.observer, _OBSERVER_TICKS[None])
    return Content.assemble((f"{tick} ", "bold $primary"), f"{row.number}. {says}\n", (f"    {marks}", "$secondary"))


def _answers(question: Question) -> list[Content]:
    return [
        Content.assemble(
            (f"Rung {number}: {printable(' '.join(rung.ask.split()))}\n", "bold"),
            printable(" ".join(rung.answer.split())),
        )
        for number, rung in enumerate(question.rungs, 1)
    ]
