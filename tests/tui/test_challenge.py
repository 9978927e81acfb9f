"""A timed challenge with real key presses: attempts, diff, hints, pause, time limit, giving up, sets, resuming."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from textual.pilot import Pilot

from graders.verdict import Verdict
from interviewer.interview.challenge import Challenge
from interviewer.interview.context import AppContext
from interviewer.interview.sessions import new_challenge
from interviewer.session.state import Awaiting
from interviewer.tui.app import InterviewerApp
from interviewer.tui.screens.challenge import ChallengeScreen
from interviewer.tui.screens.debrief import DebriefScreen
from interviewer.tui.screens.dialogs import ChoiceScreen
from interviewer.tui.screens.home import HomeScreen
from interviewer.tui.screens.reading import ReadingScreen, SideBySideScreen
from interviewer.tui.widgets.code_editor import CodeEditor
from interviewer.tui.widgets.verdict import AttemptList
from tests.tui.conftest import (
    NARROW,
    STARTER,
    WIDE,
    PreparedClient,
    open_app,
    report,
    shown_text,
    task,
    unloaded,
    wait_for,
)

# This module starts many apps.
pytestmark = pytest.mark.slow


def challenge_of(context: AppContext, *tasks: str, minutes: float = 20.0) -> Challenge:
    challenge = new_challenge(context, tasks or ("gae",), minutes)
    assert isinstance(challenge, Challenge)
    return challenge


async def on_stage(pilot: Pilot[None]) -> ChallengeScreen:
    await wait_for(pilot, lambda: isinstance(pilot.app.screen, ChallengeScreen), "the challenge")
    screen = pilot.app.screen
    assert isinstance(screen, ChallengeScreen)
    await settled(pilot, screen)
    return screen


async def settled(pilot: Pilot[None], screen: ChallengeScreen) -> None:
    await wait_for(pilot, lambda: not screen.is_driving, "the runner to wait for input")
    await pilot.pause()
    await pilot.pause()


async def press(pilot: Pilot[None], screen: ChallengeScreen, *keys: str) -> str:
    await pilot.press(*keys)
    await settled(pilot, screen)
    return shown_text(pilot.app)


async def dialog(pilot: Pilot[None], title: str) -> str:
    await wait_for(pilot, lambda: isinstance(pilot.app.screen, ChoiceScreen), title)
    await pilot.pause()
    assert title in shown_text(pilot.app)
    return shown_text(pilot.app)


def let_time_pass(challenge: Challenge, seconds: float) -> None:
    challenge._session_clock._zero -= seconds


def stop_clock(challenge: Challenge) -> None:
    """Only `let_time_pass` moves the clock, because a busy machine takes seconds for a few key presses."""
    now = time.monotonic()
    challenge._session_clock._monotonic = lambda: now


@pytest.mark.expectation(number=41)
@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_wrong_then_right_with_diff_and_solution(
    context: AppContext, client: PreparedClient, size: tuple[int, int]
) -> None:
    # A longer title would wrap the result's line.
    context.full_tasks = (replace(task("gae"), title="Gae"),)
    client.reports = [report(Verdict.WRONG_VALUE, mistake=True), report(Verdict.PASSED)]
    app = open_app(context, challenge_of(context))
    async with app.run_test(size=size) as pilot:
        screen = await on_stage(pilot)
        text = shown_text(app)
        assert "discounted" in text
        assert ":" in text
        assert "left" in text
        text = await press(pilot, screen, "f3", *"x=1", "enter", "ctrl+s")
        assert "#1  ✗ wrong value, 2 of 3 cases passed" in text
        assert "The recursion runs" in text
        assert screen.check_action("solution", ()) is False
        await press(pilot, screen, "f3", *"y=2", "enter", "ctrl+s")
        assert screen.challenge.session.is_over
        assert client.sources == ["x=1\n" + STARTER, "x=1\ny=2\n" + STARTER]
        text = await press(pilot, screen, "f6")
        assert "passed, 2 attempts in 0:0" in text
        assert "your best time" in text
        assert "Think about: Which line of your code" in text
        await pilot.press("ctrl+r", "v")
        await wait_for(pilot, lambda: isinstance(app.screen, SideBySideScreen), "the reference beside the code")
        await wait_for(pilot, lambda: "# the reference" in shown_text(app), "the reference")
        assert "y=2" in shown_text(app)
        await pilot.press("escape", "escape")
        await wait_for(pilot, lambda: app.screen is screen, "the challenge again")
        await pilot.press("f6", "enter")
        await wait_for(pilot, lambda: isinstance(app.screen, ReadingScreen), "the diff")
        await wait_for(pilot, lambda: "+y=2" in shown_text(app), "the added line")
        assert "-x=1" not in shown_text(app)
        await pilot.press("escape", "ctrl+r")
        await wait_for(pilot, lambda: "# the reference" in shown_text(app), "the reference")
        await pilot.press("escape")
        await wait_for(pilot, lambda: app.screen is screen, "the challenge again")
        await pilot.press("tab", "tab", "enter")
        await wait_for(pilot, lambda: isinstance(app.screen, DebriefScreen), "the debrief")


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_i_shows_all_of_the_isolation(context: AppContext, client: PreparedClient, size: tuple[int, int]) -> None:
    client.reports = [replace(report(Verdict.RAISED, stdout="ends_midway:\nhello"), isolation="container: no network")]
    app = open_app(context, challenge_of(context))
    async with app.run_test(size=size) as pilot:
        screen = await on_stage(pilot)
        text = await press(pilot, screen, "ctrl+s", "f6")
        assert text.index("✗ ends_midway") < text.index("hello")
        assert "Isolation: container (i: details)" in text
        assert "Isolation: container: no network" in await press(pilot, screen, "i")
        assert "Isolation: container (i: details)" in await press(pilot, screen, "i")


async def test_the_results_have_the_focus_as_soon_as_there_is_one(context: AppContext, client: PreparedClient) -> None:
    client.reports = [report(Verdict.WRONG_VALUE)]
    app = open_app(context, challenge_of(context))
    async with app.run_test(size=NARROW) as pilot:
        screen = await on_stage(pilot)
        await press(pilot, screen, "f6")
        assert "No attempts yet." in shown_text(app)
        await press(pilot, screen, "ctrl+s")
        assert isinstance(app.focused, AttemptList)
        await press(pilot, screen, "enter")
        assert isinstance(app.screen, ReadingScreen)


async def test_a_marked_attempt_is_compared_with_another(context: AppContext, client: PreparedClient) -> None:
    client.reports = [report(Verdict.RAISED), report(Verdict.WRONG_VALUE), report(Verdict.WRONG_SHAPE)]
    app = open_app(context, challenge_of(context))
    async with app.run_test(size=WIDE) as pilot:
        screen = await on_stage(pilot)
        for letter in "abc":
            await press(pilot, screen, "f3", letter, "ctrl+s")
        text = await press(pilot, screen, "f6", "end", "space", "home")
        assert "diff from here" in text
        assert isinstance(app.focused, AttemptList)
        await pilot.press("enter")
        await wait_for(pilot, lambda: "From attempt 1 to attempt 3" in shown_text(app), "the title")
        await wait_for(pilot, lambda: "+abcdef gae" in shown_text(app), "the changed line")
        assert "-adef gae" in shown_text(app)


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_code_that_does_not_load_shows_its_line_and_does_not_count(
    context: AppContext, client: PreparedClient, size: tuple[int, int]
) -> None:
    client.reports = [unloaded(), report(Verdict.PASSED)]
    app = open_app(context, challenge_of(context))
    async with app.run_test(size=size) as pilot:
        screen = await on_stage(pilot)
        text = await press(pilot, screen, "f3", "x", "ctrl+s")
        lines = [line.rstrip() for line in text.splitlines()]
        row = next(
            number for number, line in enumerate(lines) if "xdef gae(rewards):" in line and "^" in lines[number + 1]
        )
        assert lines[row + 1].index("^") == lines[row].index("xdef") + len("xdef")
        assert 'File "your code", line 1: SyntaxError:' in text
        assert "not counted as a submission" in text
        assert "score" not in text
        text = await press(pilot, screen, "f3", "backspace", "ctrl+s", "f6")
        assert "#1  ✓ passed, 3 of 3 cases passed" in text
        assert "✗ did not load, not counted" in text
        assert "passed, 1 attempt" in text
        assert [attempt.source for attempt in screen.challenge.session.work.attempts] == ["x" + STARTER, STARTER]
        await pilot.press("enter")
        await wait_for(pilot, lambda: "From code that did not load to attempt 1" in shown_text(app), "the diff")
    assert context.progress().tasks["gae"].attempts == 1
    assert context.progress().tasks["gae"].has_passed


async def test_a_hint_says_its_cost_and_costs_it(context: AppContext, client: PreparedClient) -> None:
    client.reports = [report(Verdict.PASSED)]
    app = open_app(context, challenge_of(context))
    async with app.run_test(size=NARROW) as pilot:
        screen = await on_stage(pilot)
        await pilot.press("f8")
        assert "does not set a best time" in await dialog(pilot, "Hint 1 of 2")
        await pilot.press("escape")
        assert screen.challenge.session.work.hints == 0
        assert "mild" not in await press(pilot, screen, "f2")
        await pilot.press("f8")
        await dialog(pilot, "Hint 1 of 2")
        await press(pilot, screen, "2")
        await wait_for(pilot, lambda: "mild" in shown_text(app), "the hint")
        await press(pilot, screen, "ctrl+s")
        assert "1 hint: no best time" in shown_text(app)
        assert context.progress().tasks["gae"].best_seconds is None


async def test_a_pause_stops_the_clock_and_hides_the_code(context: AppContext) -> None:
    challenge = challenge_of(context)
    app = open_app(context, challenge)
    async with app.run_test(size=NARROW) as pilot:
        screen = await on_stage(pilot)
        stop_clock(challenge)
        await press(pilot, screen, "f3", *"secret")
        await pilot.press("f5")
        await pilot.pause()
        text = shown_text(app)
        assert "secret" not in text
        assert "discounted" not in text
        assert "paused" in text
        left = challenge.seconds_left
        let_time_pass(challenge, 300)
        assert challenge.seconds_left == left
        assert screen.check_action("submit", ()) is False
        await pilot.press("f3", *"typed", "enter")
        await pilot.pause()
        assert "secret" in shown_text(app)
        assert screen.query_one(CodeEditor).text == "secret" + STARTER
        assert not challenge.is_paused
        assert challenge.seconds_left == pytest.approx(left, abs=0.01)


@pytest.mark.expectation(number=43)
async def test_warnings_in_words_and_a_bell_that_can_be_off(
    context: AppContext, client: PreparedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[float] = []
    monkeypatch.setattr(InterviewerApp, "bell", lambda app: rung.append(time.monotonic()))
    challenge = challenge_of(context)
    app = open_app(context, challenge)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        screen = await on_stage(pilot)
        for minutes, words in ((10, "Less than 10 minutes left"), (5, "Less than 5 minutes left")):
            let_time_pass(challenge, challenge.seconds_left - 60 * minutes + 1)
            screen.tick()
            await wait_for(pilot, lambda words=words: words in shown_text(app), words)  # type: ignore[misc]
            assert f"less than {minutes} minutes" in shown_text(app)
        assert len(rung) == 2

        context.use(replace(context.settings, bell=False))
        let_time_pass(challenge, challenge.seconds_left - 59)
        screen.tick()
        await wait_for(pilot, lambda: "Less than 1 minute left" in shown_text(app), "the last warning")
        assert len(rung) == 2


async def test_time_up_keeps_the_work_and_going_on_is_marked(context: AppContext, client: PreparedClient) -> None:
    client.reports = [report(Verdict.WRONG_VALUE), report(Verdict.WRONG_SHAPE), report(Verdict.PASSED)]
    challenge = challenge_of(context)
    app = open_app(context, challenge)
    async with app.run_test(size=WIDE) as pilot:
        screen = await on_stage(pilot)
        await press(pilot, screen, "ctrl+s")
        await press(pilot, screen, "f3", *"kept")
        let_time_pass(challenge, 60 * 20)
        screen.tick()
        assert "Your last submission counts: #1, wrong value" in await dialog(pilot, "Time is up")
        await press(pilot, screen, "1")
        assert "time is up · untimed" in shown_text(app)
        assert screen.query_one(CodeEditor).text == "kept" + STARTER
        await press(pilot, screen, "ctrl+s")
        assert not screen.challenge.session.is_over
        await press(pilot, screen, "ctrl+s")
        assert screen.challenge.session.is_over
        text = shown_text(app)
        assert "passed, 3 attempts, untimed" in text
        assert "#3  ✓ passed, 3 of 3 cases passed  untimed" in text
        assert "#1  ✗ wrong value, 2 of 3 cases passed  at 0:0" in text
    assert context.progress().tasks["gae"].best_seconds is None


async def test_time_up_and_ending_counts_the_last_submission(context: AppContext, client: PreparedClient) -> None:
    client.reports = [report(Verdict.WRONG_VALUE)]
    challenge = challenge_of(context)
    app = open_app(context, challenge)
    async with app.run_test(size=NARROW) as pilot:
        screen = await on_stage(pilot)
        await press(pilot, screen, "ctrl+s")
        let_time_pass(challenge, 60 * 20)
        screen.tick()
        await dialog(pilot, "Time is up")
        await press(pilot, screen, "2")
        assert screen.challenge.session.is_over
        assert "not passed, 1 attempt" in shown_text(app)


async def test_keys_meant_for_the_code_decide_nothing_when_time_is_up(
    context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interviewer.tui.typing_guard.OPEN_SECONDS", 600.0)
    challenge = challenge_of(context)
    app = open_app(context, challenge)
    async with app.run_test(size=WIDE) as pilot:
        screen = await on_stage(pilot)
        await press(pilot, screen, "f3", *"x = ")
        let_time_pass(challenge, 60 * 20)
        screen.tick()
        await dialog(pilot, "Time is up")
        asked = app.screen
        assert isinstance(asked, ChoiceScreen)
        await pilot.press("1", "2", "down", "enter")
        await pilot.pause()
        assert "Time is up" in shown_text(app)
        # Once the candidate has stopped typing, enter chooses what does not end the challenge.
        asked._guard.stop()
        assert "Time is up" not in await press(pilot, screen, "enter")
        assert not challenge.session.is_over


@pytest.mark.expectation(number=41)
async def test_giving_up_asks_and_opens_the_solution(context: AppContext) -> None:
    app = open_app(context, challenge_of(context))
    async with app.run_test(size=NARROW) as pilot:
        screen = await on_stage(pilot)
        await pilot.press("ctrl+r")
        assert app.screen is screen
        await pilot.press("f9")
        await dialog(pilot, "Skip this task?")
        await pilot.press("1")
        assert not screen.challenge.session.is_over
        await pilot.press("f9")
        await dialog(pilot, "Skip this task?")
        await press(pilot, screen, "2")
        assert "✗ not submitted" in shown_text(app)
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: "# the reference" in shown_text(app), "the reference")
        await pilot.press("c")
        assert "# the reference" in app.clipboard


async def test_a_set_goes_on_to_its_next_task(context: AppContext, client: PreparedClient) -> None:
    context.full_tasks = (replace(task("gae"), title="First one"), replace(task("ppo_loss"), title="Second one"))
    client.reports = [report(Verdict.PASSED), report(Verdict.PASSED)]
    app = open_app(context, challenge_of(context, "gae", "ppo_loss", minutes=60))
    async with app.run_test(size=WIDE) as pilot:
        screen = await on_stage(pilot)
        assert "Task 1 of 2 · First one" in shown_text(app)
        await press(pilot, screen, "f3", *"one", "ctrl+s")
        await wait_for(pilot, lambda: screen.focused is screen.query_one("#next-task"), "the button")
        await pilot.press("enter")
        await wait_for(pilot, lambda: "Task 2 of 2" in shown_text(app), "the next task")
        assert "Task 2 of 2 · Second one" in shown_text(app)
        assert screen.query_one(CodeEditor).text == STARTER
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: "Solution · First one" in shown_text(app), "the solution of the first")
        await pilot.press("escape")
        await press(pilot, screen, "ctrl+s")
        text = shown_text(app)
        assert "First one: ✓ passed, 1 attempt in 0:0" in text
        assert "Second one: ✓ passed" in text
        await pilot.press("ctrl+r")
        await dialog(pilot, "For which task?")


@pytest.mark.expectation(number=45)
async def test_leaving_and_coming_back_gives_no_time_back(context: AppContext, client: PreparedClient) -> None:
    client.reports = [report(Verdict.WRONG_VALUE)]
    challenge = challenge_of(context)
    app = open_app(context, challenge)
    async with app.run_test(size=NARROW) as pilot:
        screen = await on_stage(pilot)
        await press(pilot, screen, "ctrl+s")
        await press(pilot, screen, "f3", *"more")
        let_time_pass(challenge, 400)
        await pilot.press("escape")
        await dialog(pilot, "Leave the challenge?")
        await pilot.press("2")
        await wait_for(pilot, lambda: isinstance(app.screen, HomeScreen), "home")
        left, left_at = challenge.seconds_left, time.monotonic()
        await pilot.press("r")
        screen = await on_stage(pilot)
        assert screen.challenge is not challenge
        since = time.monotonic() - left_at
        assert left - since - 1 < screen.challenge.seconds_left < left + 1
        assert left < 60 * 20 - 399
        assert screen.query_one(CodeEditor).text == "more" + STARTER
        assert len(screen.challenge.session.work.attempts) == 1
        assert screen.challenge.session.awaiting is Awaiting.SUBMISSION


@pytest.mark.expectation(number=35)
@pytest.mark.expectation(number=40)
async def test_the_starter_comes_back_and_undo_brings_the_code_back(context: AppContext) -> None:
    app = open_app(context, challenge_of(context))
    async with app.run_test(size=WIDE) as pilot:
        screen = await on_stage(pilot)
        await press(pilot, screen, "f3", *"mine", "ctrl+p", *"reset to")
        await wait_for(pilot, lambda: "No key" in shown_text(app), "the palette to find it")
        await pilot.press("enter")
        await dialog(pilot, "Reset to starter code?")
        await press(pilot, screen, "2")
        assert screen.query_one(CodeEditor).text == STARTER
        await press(pilot, screen, "f3", "ctrl+z")
        assert screen.query_one(CodeEditor).text == "mine" + STARTER
        await pilot.press("f12")
        assert app.clipboard == "mine" + STARTER


async def test_from_home_by_weakness_with_a_chosen_pace(context: AppContext, client: PreparedClient) -> None:
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("t")
        assert "Bug-hunt hour" in await dialog(pilot, "Timed challenge")
        await pilot.press("2")
        await wait_for(pilot, lambda: "half the time" in shown_text(app), "the offer")
        assert "not practiced" in shown_text(app)
        await pilot.press("3")
        screen = await on_stage(pilot)
        assert screen.challenge.session.plan.minutes == 10
        await press(pilot, screen, "ctrl+s")
        assert client.devices == ["cpu"]
