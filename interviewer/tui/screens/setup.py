"""Set up a model without blocking the app: list what was found, try a judgment, save the setting, and calibrate."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from interviewer.config import ConfigError, check_model
from interviewer.interview.calibrating import calibrate_examiner, why_no_result
from interviewer.interview.model_setup import (
    EXAMPLE_COST,
    Candidate,
    FoundModels,
    Trial,
    calibration_cost,
    context_with,
    find_models,
    save_model,
    try_model,
)
from interviewer.tui.background import run_in_background
from interviewer.tui.screens.base_screen import BaseScreen, TooSmall
from interviewer.tui.screens.dialogs import Choice, ChoiceScreen, PromptScreen
from interviewer.tui.screens.pick import Pickable, PickScreen
from interviewer.tui.text_format import advice, printable
from interviewer.tui.widgets.lists import KeyFooter

if TYPE_CHECKING:
    from interviewer.interview.context import AppContext
LOOKING = "Looking for API keys and for model servers on this machine …"
BUSY = "Still running. esc stops the run and leaves this screen."
# Ids of the rows that are not models; a model row's id is its position.
MORE, BY_HAND = "more", "by hand"
# The choices that this screen's dialogs offer.
TRY, SAVE, CALIBRATE, DIFFERENT = "try", "save", "calibrate", "different"
NAME_ABOUT = "The LiteLLM name, PROVIDER/MODEL. Example: openai/gpt-5.4-mini."


class ModelList(OptionList):
    """A list of models."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Choose")]


class SetupScreen(BaseScreen[None]):
    """The models that can be used here, and the steps for the chosen model. Leaving the screen stops a calibration."""

    CSS_PATH = "../screens.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "again", "Check again"),
        Binding("escape,q", "dismiss(None)", "Back"),
    ]

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self._app_context = context
        self._found = FoundModels((), (), ())
        self._is_busy = False
        self._saved = ""
        self._is_stopped = threading.Event()

    def compose(self) -> ComposeResult:
        """Yield the result of the search, the list of models, and the progress of setting up the chosen model."""
        yield TooSmall()
        yield Static("Set up a model", classes="topbar", markup=False)
        yield Static(LOOKING, id="found", markup=False)
        yield ModelList(id="models")
        yield Static("", id="progress", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Look for models."""
        self.query_one(ModelList).focus()
        self.action_again()

    def on_unmount(self) -> None:
        """Stop the work that is still running."""
        self._is_stopped.set()

    def action_again(self) -> None:
        """Look for models again."""
        if not self._is_busy:
            self.query_one(ModelList).clear_options()
            self.query_one("#found", Static).update(LOOKING)
            environ = self._app_context.environ
            run_in_background(self, lambda: find_models(environ), self._show_found, self._complain)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choose a model, or ask for a different one."""
        if self._is_busy:
            self.notify(BUSY, markup=False)
        elif event.option_id == MORE:
            more = enumerate(self._found.more)
            rows = [
                Pickable(str(place), printable(model.about), printable(model.about), printable(model.name))
                for place, model in more
            ]
            self.app.push_screen(PickScreen("More models", rows), self._choose_from_more)
        elif event.option_id == BY_HAND:
            self.app.push_screen(PromptScreen("Model", NAME_ABOUT, self._app_context.settings.model), self._choose_name)
        else:
            self._choose(self._found.candidates[int(event.option_id or 0)])

    def _choose_from_more(self, place: str | None) -> None:
        if place is not None:
            self._choose(self._found.more[int(place)])

    def _choose_name(self, name: str | None) -> None:
        if not name:
            return
        try:
            check_model(name)
        except ConfigError as error:
            # Omit the error's fix, which is to open this screen.
            self._say(error.message)
        else:
            self._choose(self._found.named(name))

    def _choose(self, model: Candidate) -> None:
        """Ask whether to try the model."""
        choices = [Choice(TRY, "Try one judgment"), Choice(SAVE, "Use this model without trying it first")]

        def go_on(chosen: str | None) -> None:
            if chosen == TRY:
                self._try(model)
            elif chosen == SAVE:
                self._save(model)

        text = printable(f"{model.about}\n\n{EXAMPLE_COST}")
        self.app.push_screen(ChoiceScreen(printable(model.name), text, choices), go_on)

    def _try(self, model: Candidate) -> None:
        self._is_busy = True
        self._say(f"Trying {model.name} … A server on this machine may have to load the model first.")

        def act() -> tuple[Trial, str]:
            trial = try_model(self._app_context, model.name, self._is_stopped.is_set)
            cost = calibration_cost(self._app_context, trial, runs_on=model.runs_on) if trial.is_usable else ""
            return trial, cost

        run_in_background(self, act, lambda tried: self._show_trial(model, *tried), self._complain)

    def _show_trial(self, model: Candidate, trial: Trial, cost: str) -> None:
        """Show the result of the trial, and ask what to do with the model."""
        self._is_busy = False
        self._say(str(trial))
        different = Choice(DIFFERENT, "Choose a different model")
        if trial.is_usable:
            use = [Choice(SAVE, "Use this model"), Choice(CALIBRATE, "Use this model and calibrate it now")]
            choices, title = [*use, different], "The reply is usable"
        else:
            choices, title = [different, Choice(SAVE, "Use this model anyway")], "No usable judgment"

        def go_on(chosen: str | None) -> None:
            if chosen in (SAVE, CALIBRATE) and self._save(model) and chosen == CALIBRATE:
                self._calibrate(model)

        self.app.push_screen(ChoiceScreen(title, printable(f"{trial}\n\n{cost}".strip()), choices), go_on)

    def _save(self, model: Candidate) -> bool:
        """Save the model, and return whether that worked."""
        try:
            said = save_model(self._app_context, model)
        except Exception as error:
            self._complain(error)
            return False
        self._saved = "\n".join(said)
        self._say(self._saved)
        self._draw()
        return True

    def _calibrate(self, model: Candidate) -> None:
        self._is_busy = True
        self._say(f"{self._saved}\nCalibrating …")

        def on_progress(done: int, of: int) -> bool:
            text = f"Calibrating: {done} of {of} answers judged. If you leave, the calibration stops without a result."
            with suppress(RuntimeError):  # the app may have exited
                self.call_later(self._say, f"{self._saved}\n{text}")
            return not self._is_stopped.is_set()

        def act() -> str:
            with context_with(self._app_context, model.name) as context:
                result, _, why_unpaid = calibrate_examiner(context, on_progress)
            if result is None and not self._is_stopped.is_set():
                return advice(why_no_result(why_unpaid))
            return str(result)

        run_in_background(self, act, self._show_calibration, self._complain)

    def _show_calibration(self, said: str) -> None:
        self._is_busy = False
        # Drop the cached calibration results.
        self._app_context.use(self._app_context.settings)
        self._say(f"{self._saved}\n{said}")

    def _show_found(self, found: FoundModels) -> None:
        self._found = found
        self.query_one("#found", Static).update(printable("\n".join(found.summary)))
        self._draw()

    def _draw(self) -> None:
        """Draw the models; the cursor keeps its position, or starts at the model in use."""
        rows = self.query_one(ModelList)
        at = rows.highlighted
        current = self._app_context.settings.model
        rows.clear_options()
        for place, model in enumerate(self._found.candidates):
            rows.add_option(Option(_row(model, is_current=model.name == current), id=str(place)))
        if self._found.more:
            rows.add_option(Option(f"More models from these providers ({len(self._found.more)}) …", id=MORE))
        rows.add_option(Option("Enter a model's name …", id=BY_HAND))
        names = [model.name for model in self._found.candidates]
        rows.highlighted = at if at is not None else names.index(current) if current in names else 0

    def _complain(self, error: Exception) -> None:
        self._is_busy = False
        self._say(advice(error))

    def _say(self, text: str) -> None:
        self.query_one("#progress", Static).update(printable(text))


def _row(model: Candidate, *, is_current: bool) -> Content:
    name = Content.assemble((printable(model.name), "$primary"), ("  in use" if is_current else "", "bold"))
    return Content.assemble(name, "\n", (printable(model.about), "$secondary"))
