"""The rubric as an observer has it: each point with three marks that are never mixed, then the bank's answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from interviewer.interview.observation import RubricRow, marked_as
from interviewer.session.assessment import State
from interviewer.session.question import Question
from interviewer.tui.printable import in_words, printable

TICKS = {State.SHOWN: "[x]", State.MISSING: "[-]", None: "[ ]"}


class RubricView(OptionList):
    """List points, which can be ticked, and answers, which can be read."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space,enter", "select", "Tick")]

    @dataclass
    class Ticked(Message):
        """The observer marked a point."""

        question: str
        point: str
        state: State

    def __init__(self) -> None:
        super().__init__(id="rubric")
        self._question: Question | None = None
        self._rows: Sequence[RubricRow] = ()

    def show(self, question: Question, rows: Sequence[RubricRow], number: int, count: int) -> None:
        """Draw the question that is number `number` of `count`; the cursor stays on its point."""
        if (question, rows) == (self._question, self._rows):
            return
        is_other, self._question, self._rows = question != self._question, question, rows
        self.border_title = f"{in_words(question.id)} · {number} of {count}"
        if not is_other:
            for place, row in enumerate(rows):
                self.replace_option_prompt_at_index(place, _point(row))
            return
        self.clear_options()
        self.add_options([*(Option(_point(row)) for row in rows), *(Option(one) for one in _answers(question))])
        self.highlighted = 0

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Mark the point, or turn its mark around; an answer is only there to be read."""
        event.stop()
        if self._question is not None and event.option_index < len(self._rows):
            row = self._rows[event.option_index]
            state = State.MISSING if row.observer is State.SHOWN else State.SHOWN
            self.post_message(self.Ticked(self._question.id, row.point.id, state))


def _point(row: RubricRow) -> Content:
    says = printable(" ".join(row.point.says.split()))
    marks = f"machine {marked_as(row.machine)} · candidate {marked_as(row.own)} · observer {marked_as(row.observer)}"
    tick = TICKS.get(row.observer, TICKS[None])
    return Content.assemble((f"{tick} ", "bold $primary"), f"{row.number}. {says}\n", (f"    {marks}", "$secondary"))


def _answers(question: Question) -> list[Content]:
    return [
        Content.assemble(
            (f"Rung {number}: {printable(' '.join(rung.ask.split()))}\n", "bold"),
            printable(" ".join(rung.answer.split())),
        )
        for number, rung in enumerate(question.rungs, 1)
    ]
