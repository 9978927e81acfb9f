"""A session's debrief, computed only from the session state; it can be read, copied and saved."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from interviewer.session import phrases
from interviewer.session.debrief import debrief
from interviewer.session.question import Point
from interviewer.session.results import model_sentence, open_lessons, practice_items
from interviewer.session.state import Drill, Session, Summary
from interviewer.tui.background import run_in_background
from interviewer.tui.screens.base_screen import BaseScreen, TooSmall
from interviewer.tui.screens.dialogs import Choice, ChoiceScreen, PromptScreen
from interviewer.tui.screens.teach import TeachScreen
from interviewer.tui.text_format import advice, printable
from interviewer.tui.widgets.lists import KeyFooter
from interviewer.tui.widgets.markdown import SafeMarkdown
from interviewer.tui.widgets.status import TextLine

if TYPE_CHECKING:
    from interviewer.interview.teaching import Teacher

POINT_CHARACTERS_MAX = 52
_EXPLAIN = Choice("explain", "Explain this point", "based on the question bank's answer")
_TRY_AGAIN = Choice("again", "Let me try again", "judged, not scored")
# Returns the debrief as Markdown.
DebriefWriter = Callable[[Session], str]
# Takes the session, question, point and reason; returns the session with the appeal.
AppealTaker = Callable[[Session, str, str, str], Session]


class DebriefScreen(BaseScreen[str | None]):
    """Show the results, what was missed, and what to practice.

    `masked_debrief` writes the Markdown that is copied and saved. The screen's result is "question/ID" or "task/ID",
    with the id of the item to practice, or None.
    """

    CSS_PATH = "../screens.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "save", "Save"),
        Binding("c", "copy", "Copy"),
        Binding("a", "appeal", "Appeal"),
        Binding("p", "practice", "Practice next"),
        Binding("n", "teach", "Missed"),
        Binding("escape,q", "dismiss(None)", "Back"),
    ]

    def __init__(
        self,
        session: Session,
        appeal: AppealTaker,
        teacher: Teacher | None = None,
        masked_debrief: DebriefWriter = debrief,
    ) -> None:
        super().__init__()
        self._session = session
        self._appeal = appeal
        self._teacher = teacher
        self._masked_debrief = masked_debrief
        self._text = debrief(session)
        self._has_left = threading.Event()

    def compose(self) -> ComposeResult:
        """Yield the debrief text."""
        yield TooSmall()
        yield Static(f"Session {self._session.id}", classes="topbar", markup=False)
        with VerticalScroll(id="debrief"):
            yield SafeMarkdown(self._drawn(), draws_formulas=False)
        yield TextLine("debrief-note")
        yield KeyFooter(show_command_palette=False)

    def on_mount(self) -> None:
        """Focus the text, so that the arrow keys scroll, and ask the model for a summary."""
        self.query_one("#debrief").focus()
        self._ask_summary()

    def on_unmount(self) -> None:
        """Stop waiting for the model."""
        self._has_left.set()

    def _ask_summary(self) -> None:
        """Ask for a summary in the background, if a model can write one and none has been written yet."""
        teacher, session = self._teacher, self._session
        if teacher is None or not teacher.wants_summary(session):
            return
        if why := teacher.why_no_model(session):
            self._note(why)
            return
        self._note("The model is writing a summary … You can leave at any time.")
        run_in_background(
            self,
            lambda: teacher.summarize(session, self._has_left.is_set),
            self._show_summary,
            self._show_no_summary,
        )

    def _show_summary(self, summary: Summary | None) -> None:
        if summary is None or not (summary.sentences or summary.plan):
            self._note(phrases.NO_SUMMARY)
            return
        self._session = replace(self._session, summary=summary)
        self._redraw()
        self._note("The model's summary is at the end.")

    def _show_no_summary(self, error: Exception) -> None:
        self._note(f"{phrases.SUMMARY_FAILED} {' '.join(advice(error).split())}")

    def _note(self, text: str) -> None:
        line = self.query_one("#debrief-note", TextLine)
        line.set_text(text)
        line.set_class(bool(text), "-shown")

    def _redraw(self) -> None:
        self._text = debrief(self._session)
        self.query_one(SafeMarkdown).update(self._drawn())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether an action applies, for example whether there is a finding to contest."""
        if action == "practice":
            return bool(practice_items([self._session]))
        if action == "teach":
            return self._teacher is not None and bool(open_lessons(self._session))
        return action != "appeal" or bool(self._judged())

    def action_practice(self) -> None:
        """Leave the debrief and start the first item to practice."""
        first = practice_items([self._session])[0]
        self.dismiss(f"{first.kind}/{first.id}")

    @work
    async def action_appeal(self) -> None:
        """Ask which finding is wrong and why, log the appeal, and show the updated debrief."""
        found = [(drill, point) for drill in self._judged() for point in self._points(drill)]
        choices = [
            Choice(str(place), _cut(printable(" ".join(model_sentence(point).says.split()))))
            for place, (_, point) in enumerate(found)
        ]
        chosen = await self.app.push_screen_wait(ChoiceScreen("Which finding is wrong?", phrases.APPEAL_PICK, choices))
        if chosen is None:
            return
        drill, point = found[int(chosen)]
        before = drill.appeal_of(point.id)
        why = await self.app.push_screen_wait(PromptScreen("Appeal", phrases.APPEAL, before))
        if why is None or why == before:
            return
        try:
            self._session = self._appeal(self._session, drill.question, point.id, why)
        except Exception as error:
            self.notify(advice(error), title="Not logged", severity="error", markup=False)
            return
        self._redraw()

    @work
    async def action_teach(self) -> None:
        """Let the candidate pick a missed point; explain it or ask its question again, any number of times."""
        teacher, lessons = self._teacher, open_lessons(self._session)
        if teacher is None:
            return
        choices = [Choice(str(place), _cut(printable(lesson.says))) for place, lesson in enumerate(lessons)]
        chosen = await self.app.push_screen_wait(ChoiceScreen("Missed points", phrases.TEACH_PICK, choices))
        if chosen is None:
            return
        lesson = lessons[int(chosen)]
        while act := await self.app.push_screen_wait(
            ChoiceScreen("Missed point", printable(lesson.asked), [_EXPLAIN, _TRY_AGAIN])
        ):
            screen = TeachScreen(self._session, teacher, lesson, is_trying=act == _TRY_AGAIN.id)
            await self.app.push_screen_wait(screen)
            self._reload()

    def _reload(self) -> None:
        """Show what has been logged since the debrief was opened."""
        assert self._teacher is not None
        try:
            self._session = self._teacher.refreshed(self._session)
        except Exception as error:
            self.notify(advice(error), title="Could not read the practice log", severity="error", markup=False)
            return
        self._redraw()

    def _drawn(self) -> str:
        """Return the debrief with an added line that names the key for starting practice."""
        heading = "## Practice next\n"
        return printable(self._text.replace(heading, f"{heading}\nPress p to start the first item.\n", 1))

    def _judged(self) -> list[Drill]:
        return [drill for drill in self._session.drills if drill.is_over and drill.answers]

    def _points(self, drill: Drill) -> Sequence[Point]:
        return self._session.question(drill.question).points

    def action_copy(self) -> None:
        """Copy the Markdown, with secrets masked, to the clipboard; the app reports which method it used."""
        self.app.copy_to_clipboard(self._masked_debrief(self._session))

    def action_save(self) -> None:
        """Write the Markdown, with secrets masked, to a new file in the current folder."""
        name = f"interviewer-{self._session.id}"
        names = itertools.chain([name], (f"{name}-{number}" for number in itertools.count(2)))
        path = next(path for path in (Path.cwd() / f"{each}.md" for each in names) if not path.exists())
        try:
            path.write_text(self._masked_debrief(self._session), encoding="utf-8", errors="replace")
        except OSError as error:
            self.notify(f"{path}: {error.strerror}. Start interviewer in a writable folder, or press c to copy.",
                        title="Not saved", severity="error", markup=False)  # fmt: skip
            return
        self.notify(str(path), title="Saved", markup=False)


def _cut(text: str) -> str:
    return text if len(text) <= POINT_CHARACTERS_MAX else f"{text[:POINT_CHARACTERS_MAX]} …"
