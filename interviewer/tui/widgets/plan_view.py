"""The plan with its parts marked done, now or next, in signs and in words."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from interviewer.session.plan import Part
from interviewer.session.state import Session
from interviewer.tui.printable import in_words, printable


class PlanView(Static):
    """Draw the plan of a session and who judges it."""

    def __init__(self) -> None:
        super().__init__("", id="plan", markup=False)

    def show(self, session: Session, spend: str) -> None:
        """Draw where the session stands, and what the language model used; without one `spend` is empty."""
        lines = [Content.styled("Plan", "bold")]
        for number, part in enumerate(session.plan.parts):
            lines += [Content(""), *_part_lines(part, number - session.part)]
        lines += [Content(""), _line("now" if session.part >= len(session.plan.parts) else "next", "debrief")]
        lines += [Content(""), Content.styled("Examiner", "bold")]
        lines += [Content.styled(printable(line), "$secondary") for line in (session.examiner, spend) if line]
        self.update(Content("\n").join(lines))


def _part_lines(part: Part, distance: int) -> list[Content]:
    when = "done" if distance < 0 else "next" if distance else "now"
    what = "code" if part.kind == "task" else "question"
    about = f"  {when} · {what} · {part.minutes:.0f} min"
    return [_line(when, in_words(part.id)), Content.styled(about, "$secondary")]


def _line(when: str, text: str) -> Content:
    sign = {"done": "✓", "now": "▸", "next": "·"}[when]
    style = {"done": "$secondary", "now": "bold $primary", "next": ""}[when]
    return Content.styled(f"{sign} {text}", style)
