"""No screen code runs before its widgets exist or after they are removed: slow composing, early ends, late results."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from textual import events
from textual.widget import Widget

from interviewer.interview.context import AppContext
from interviewer.interview.sessions import new_challenge
from interviewer.interview.teaching import Teacher
from interviewer.session.move import Move, MoveKind
from interviewer.session.results import open_lessons
from interviewer.tui.app import InterviewerApp
from interviewer.tui.background import run_in_background
from interviewer.tui.messages import SpeechStarted
from interviewer.tui.screens import setup
from interviewer.tui.screens.base_screen import BaseScreen
from interviewer.tui.screens.browse import BrowseScreen
from interviewer.tui.screens.challenge import ChallengeScreen
from interviewer.tui.screens.debrief import DebriefScreen
from interviewer.tui.screens.dialogs import Choice, ChoiceScreen, PromptScreen
from interviewer.tui.screens.doctor import DoctorScreen
from interviewer.tui.screens.home import HomeScreen
from interviewer.tui.screens.interview import InterviewScreen
from interviewer.tui.screens.log import LogScreen
from interviewer.tui.screens.reading import ReadingScreen, SideBySideScreen
from interviewer.tui.screens.settings import SettingsScreen
from interviewer.tui.screens.teach import TeachScreen
from tests.interview.test_summaries import logged
from tests.tui.conftest import NARROW, interview_of, open_app, shown_text, wait_for

pytestmark = pytest.mark.slow

COMPOSE_SECONDS = 0.1
# All are within the time in which a session screen's layers compose one after the other.
MOMENTS_SECONDS = (0.0, 0.15, 0.3)


def teach_screen(context: AppContext) -> TeachScreen:
    session = logged(context.log, "offline")
    return TeachScreen(session, Teacher(context), open_lessons(session)[0], is_trying=True)


SCREENS: dict[str, Callable[[AppContext], BaseScreen[Any]]] = {
    "ask": lambda context: PromptScreen("Title", "Text", ""),
    "browse": BrowseScreen,
    "challenge": lambda context: ChallengeScreen(challenge(context), context),
    "choice": lambda context: ChoiceScreen("Title", "Text", [Choice("yes", "Yes")]),
    "debrief": lambda context: DebriefScreen(
        interview_of(context, questions=("clipping",)).session, lambda session, *_: session
    ),
    "doctor": lambda context: DoctorScreen(lambda: ()),
    "interview": lambda context: InterviewScreen(interview_of(context, questions=("clipping",)), context),
    "log": LogScreen,
    "reading": lambda context: ReadingScreen("Title", "Text"),
    "side by side": lambda context: SideBySideScreen("Title", "x = 1", "x = 2"),
    "setup": setup.SetupScreen,
    "settings": SettingsScreen,
    "teach": teach_screen,
}
every_screen = pytest.mark.parametrize("make", SCREENS.values(), ids=SCREENS)


def challenge(context: AppContext) -> Any:
    return new_challenge(context, ["gae"], 20.0)


@pytest.fixture
def slow_compose(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that makes every widget wait before it composes its children, as on a busy machine."""
    compose = Widget._compose

    async def late(widget: Widget) -> None:
        await asyncio.sleep(COMPOSE_SECONDS)
        await compose(widget)

    return lambda: monkeypatch.setattr(Widget, "_compose", late)


class Held:
    """Wraps a function that a thread calls: the call returns only once `release` is called."""

    def __init__(self, act: Callable[..., Any]) -> None:
        self._act = act
        self._is_free = threading.Event()
        self.is_called = False
        self.is_done = False

    def __call__(self, *arguments: Any) -> Any:
        self.is_called = True
        self._is_free.wait(10)
        try:
            return self._act(*arguments)
        finally:
            self.is_done = True

    def release(self) -> None:
        self._is_free.set()


@pytest.fixture
def held(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Held]]:
    made: list[Held] = []

    def hold(name: str) -> Held:
        made.append(Held(getattr(context, name)))
        monkeypatch.setattr(context, name, made[-1])
        return made[-1]

    yield hold
    for work in made:
        work.release()


@pytest.mark.parametrize("seconds", MOMENTS_SECONDS)
@every_screen
async def test_the_app_may_end_while_a_screen_is_composed(
    context: AppContext, slow_compose: Callable[[], None], make: Callable[[AppContext], BaseScreen[Any]], seconds: float
) -> None:
    app = open_app(context)
    async with app.run_test() as pilot:
        await pilot.pause()
        screen = make(context)
        slow_compose()
        app.push_screen(screen)
        await asyncio.sleep(seconds)
        app.exit()
    assert app.return_code == 0


@pytest.mark.parametrize("seconds", MOMENTS_SECONDS)
async def test_the_app_may_end_while_home_is_composed(
    context: AppContext, slow_compose: Callable[[], None], seconds: float
) -> None:
    slow_compose()
    app = open_app(context)
    async with app.run_test():
        await asyncio.sleep(seconds)
        app.exit()
    assert app.return_code == 0


@pytest.mark.parametrize("seconds", MOMENTS_SECONDS)
@pytest.mark.parametrize("tasks", [(), ("gae",)])
async def test_ctrl_q_may_come_while_a_session_is_composed(
    context: AppContext, slow_compose: Callable[[], None], tasks: tuple[str, ...], seconds: float
) -> None:
    slow_compose()
    app = open_app(context, challenge(context) if tasks else interview_of(context, questions=("clipping",)))
    async with app.run_test():
        await asyncio.sleep(seconds)
        app.post_message(events.Key("ctrl+q", None))
        async with asyncio.timeout(8):
            while app.return_code is None:
                await asyncio.sleep(0.01)
    assert app.return_code == 0


@pytest.mark.parametrize("key", ["f2", "f3", "f4"])
async def test_a_key_with_priority_waits_for_the_screen(
    context: AppContext, slow_compose: Callable[[], None], key: str
) -> None:
    app = open_app(context)
    async with app.run_test() as pilot:
        await pilot.pause()
        screen = InterviewScreen(interview_of(context, tasks=("gae",)), context)
        slow_compose()
        app.push_screen(screen)
        app.post_message(events.Key(key, None))
        await wait_for(pilot, lambda: screen.is_live, "the screen")
        await pilot.pause()
        assert app.return_code is None


@every_screen
async def test_a_result_waits_until_the_screen_is_mounted(
    context: AppContext, slow_compose: Callable[[], None], make: Callable[[AppContext], BaseScreen[Any]]
) -> None:
    app, was_live = open_app(context), list[bool]()
    async with app.run_test() as pilot:
        await pilot.pause()
        screen = make(context)
        slow_compose()
        app.push_screen(screen)
        run_in_background(
            screen, lambda: None, lambda _: was_live.append(screen.is_live), lambda error: pytest.fail(str(error))
        )
        await wait_for(pilot, lambda: bool(was_live), "the result")
    assert was_live == [True]


@every_screen
async def test_a_result_after_the_screen_is_gone_is_dropped(
    context: AppContext, make: Callable[[AppContext], BaseScreen[Any]]
) -> None:
    app, results = open_app(context), list[object]()
    async with app.run_test() as pilot:
        await pilot.pause()
        screen = make(context)
        await app.push_screen(screen)
        work = Held(lambda: 7)
        run_in_background(screen, work, results.append, results.append)
        # The callback is already in the screen's queue when the screen closes, so it may or may not run.
        screen.dismiss(None)
        screen.call_later(results.append, "queued")
        await wait_for(pilot, lambda: isinstance(app.screen, HomeScreen) and not screen.is_attached, "home")
        work.release()
        await wait_for(pilot, lambda: work.is_done, "the result")
        await pilot.pause(0.05)
        assert app.return_code is None
    assert results in ([], ["queued"])


@pytest.mark.parametrize(
    ("keys", "holds"),
    [
        (["b"], "progress"),
        (["l"], "history"),
        (["l", "o"], "history"),
        (["l", "slash", "x", "enter"], "history"),
    ],
    ids=["browse", "log", "overview", "log search"],
)
async def test_what_a_left_screen_asked_for_opens_nothing(
    context: AppContext, held: Callable[[str], Held], keys: list[str], holds: str
) -> None:
    app = open_app(context)
    async with app.run_test() as pilot:
        await wait_for(pilot, lambda: isinstance(app.screen, HomeScreen) and app.screen.is_live, "home")
        work = held(holds)
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        await wait_for(pilot, lambda: work.is_called, "the thread")
        while not isinstance(app.screen, HomeScreen):
            await pilot.press("escape")
            await pilot.pause()
        work.release()
        await wait_for(pilot, lambda: work.is_done, "the result")
        await pilot.pause(0.1)
        assert isinstance(app.screen, HomeScreen)
        assert app.return_code is None


async def test_words_that_come_as_the_app_ends_are_dropped(context: AppContext) -> None:
    app = InterviewerApp(context, interview_of(context, questions=("clipping",)))
    async with app.run_test() as pilot:
        await wait_for(pilot, lambda: isinstance(app.screen, InterviewScreen) and app.screen.is_live, "the interview")
        app.screen.post_message(SpeechStarted(Move(MoveKind.PROBE, "Why?")))
        app.exit()
    assert app.return_code == 0


@every_screen
async def test_a_screen_that_is_closed_twice_closes_no_other(
    context: AppContext, make: Callable[[AppContext], BaseScreen[Any]]
) -> None:
    app = open_app(context)
    async with app.run_test() as pilot:
        await pilot.pause()
        screen = make(context)
        app.push_screen(screen)
        await wait_for(pilot, lambda: screen.is_live, "the screen")
        screen.dismiss()
        screen.dismiss()
        await wait_for(pilot, lambda: isinstance(app.screen, HomeScreen), "home")
        assert len(app.screen_stack) == 1


async def test_a_screen_is_closed_with_the_dialog_over_it(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test() as pilot:
        await pilot.pause()
        screen = LogScreen(context)
        app.push_screen(screen)
        await wait_for(pilot, lambda: screen.is_live, "the screen")
        app.push_screen(ChoiceScreen("Title", "Text", [Choice("yes", "Yes")]))
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the dialog")
        screen.dismiss()
        await wait_for(pilot, lambda: isinstance(app.screen, HomeScreen), "home")
        assert len(app.screen_stack) == 1


async def test_leaving_a_session_twice_leads_home_once(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test() as pilot:
        await pilot.pause()
        screen = InterviewScreen(interview_of(context, questions=("clipping",)), context)
        app.push_screen(screen)
        await wait_for(pilot, lambda: screen.is_live, "the screen")
        screen.leave()
        screen.leave()
        await wait_for(pilot, lambda: isinstance(app.screen, HomeScreen), "home")
        await pilot.pause()
        assert len(app.screen_stack) == 1


async def test_the_end_of_a_long_list_can_be_reached(context: AppContext) -> None:
    app = open_app(context)
    choices = [Choice(str(number), f"Finding {number:02d}") for number in range(20)]
    async with app.run_test(size=NARROW) as pilot:
        await pilot.pause()
        app.push_screen(ChoiceScreen("Which finding is wrong?", "Choose one. " * 12, choices))
        await wait_for(pilot, lambda: "Finding 00" in shown_text(app), "the list")
        await pilot.press("end")
        await wait_for(pilot, lambda: "Finding 19" in shown_text(app), "the last option to be shown")
        assert "esc: back" in shown_text(app)
