"""Home, browser, drills, due reviews, settings, doctor and palette, with real keys."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from graders.verdict import Verdict
from interviewer.config import ABOUT, Settings, load_settings
from interviewer.interview.context import AppContext
from interviewer.log.attempts import new_attempt
from interviewer.log.progress import overview_text
from interviewer.tui.app import InterviewerApp
from interviewer.tui.bindings import find_key_problems
from interviewer.tui.screens.browse import BrowseScreen
from interviewer.tui.screens.challenge import ChallengeScreen
from interviewer.tui.screens.dialogs import ChoiceScreen, PromptScreen
from interviewer.tui.screens.doctor import DoctorScreen
from interviewer.tui.screens.home import HomeScreen
from interviewer.tui.screens.pick import Pickable, PickScreen, find_rows
from interviewer.tui.screens.settings import SettingsScreen
from interviewer.tui.themes import OFFERED, OWN
from tests.tui.conftest import NARROW, WIDE, interview_of, open_app, report, shown_text, stage_of, wait_for


@dataclass
class Found:
    name: str
    is_ok: bool
    detail: str
    fix: str = ""


def findings() -> Sequence[Found]:
    return [Found("python", True, "3.11"), Found("sandbox", False, "no engine answers", "Start Docker.")]


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_the_browser_searches_and_never_shows_an_answer(context: AppContext, size: tuple[int, int]) -> None:
    app = open_app(context)
    async with app.run_test(size=size) as pilot:
        await pilot.press("b")
        await wait_for(pilot, lambda: "3 of 3" in shown_text(app), "all rows")
        await wait_for(pilot, lambda: "not practiced" in shown_text(app), "what was practiced")
        text = shown_text(app)
        assert "clipping  not practiced" in text
        assert "question · level 3 · trust regions · ppo" in text
        assert "task: implement · level 3 · 20 min" in text
        for secret in ("word1", "Point 1", "answer 1", "rung 1?", "Believes"):
            assert secret not in text
        await pilot.press(*"ENTropy")
        await wait_for(pilot, lambda: "1 of 3" in shown_text(app), "the hit")
        await pilot.press(*"zzz")
        await wait_for(pilot, lambda: "No matches" in shown_text(app), "no hit")
        await pilot.press("enter", *["backspace"] * 3, "enter")
        screen = await stage_of(pilot)
        assert [part.id for part in screen.interview.session.plan.parts] == ["entropy"]


def test_a_search_finds_what_only_a_point_says_and_ranks_names_first() -> None:
    rows = [
        Pickable("a", "question", "preview", "Loss", hidden="the importance sampling ratio of a token"),
        Pickable("b", "question", "an importance weight", "Ratio"),
        Pickable("c", "question", "preview", "Importance sampling ratio"),
    ]
    assert [row.id for row in find_rows(rows, "importance sampling ratio")] == ["c", "a"]
    assert [row.id for row in find_rows(rows, "RATIO")] == ["b", "c", "a"]
    assert find_rows(rows, "kv") == []


async def test_a_task_of_the_browser_becomes_a_challenge(context: AppContext) -> None:
    context.log.record_attempt(new_attempt(report(Verdict.WRONG_VALUE), "x", "grade", at=1_790_000_000.0))
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("slash", *"task gae")
        await wait_for(pilot, lambda: "tried 1×, not passed" in shown_text(app), "what came of it so far")
        await pilot.press("enter")
        await wait_for(pilot, lambda: "The clock starts when you choose" in shown_text(app), "the offer")
        await pilot.press("enter")
        await wait_for(pilot, lambda: isinstance(app.screen, ChallengeScreen), "the challenge")


async def test_a_topic_is_drilled(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("d")
        await wait_for(pilot, lambda: isinstance(app.screen, PickScreen), "the topics")
        await wait_for(pilot, lambda: "2 questions" in shown_text(app), "their size")
        await pilot.press("enter")
        screen = await stage_of(pilot)
        assert screen.interview.session.plan.minutes == 20


async def test_what_cannot_be_chosen_says_why(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await pilot.pause()
        await wait_for(pilot, lambda: "no unfinished session" in shown_text(app), "the log")
        assert "nothing is due" in shown_text(app)
        menu = app.screen.query_one(OptionList)
        assert [option.id for option in menu.options if option.disabled] == ["resume", "due"]
        assert menu.highlighted_option is not None
        assert menu.highlighted_option.id == "mock"
        await pilot.press("j", "k", "k")
        await pilot.press("u")
        await wait_for(pilot, lambda: "Nothing is due today." in shown_text(app), "the reason")


@pytest.mark.expectation(number=56)
async def test_what_is_due_is_counted_and_started(context: AppContext) -> None:
    context.log.record_attempt(new_attempt(report(Verdict.WRONG_VALUE), "x", "grade", at=1_700_000_000.0))
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await wait_for(pilot, lambda: "1 to review" in shown_text(app), "the count")
        await pilot.press("u")
        await wait_for(pilot, lambda: "not passed (wrong value)" in shown_text(app), "why it is due")
        await pilot.press("enter")
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the offer")
        assert "tried 1×, not passed" in shown_text(app)


async def test_when_nothing_is_due_it_says_when_something_will_be(context: AppContext) -> None:
    context.log.record_attempt(new_attempt(report(Verdict.PASSED), "x", "grade", at=time.time()))
    next_due_at = context.progress().next_due_at
    assert next_due_at is not None
    told = time.strftime("%d %b %H:%M", time.localtime(next_due_at))
    app = open_app(context)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await wait_for(pilot, lambda: f"nothing is due today; next {told}" in shown_text(app), "the menu's word")
        await pilot.press("u")
        await wait_for(pilot, lambda: "due today. Next:" in shown_text(app), "the reason")


async def test_what_cannot_be_started_any_more_is_not_due(context: AppContext) -> None:
    gone = replace(report(Verdict.WRONG_VALUE), task="a_task_of_mine")
    context.log.record_attempt(new_attempt(gone, "x", "grade", at=1_700_000_000.0))
    assert context.progress().due == ()
    assert "a_task_of_mine (due" not in overview_text(context.history(), context.known_content, time.time())


@pytest.mark.expectation(number=2)
async def test_the_first_run_finds_out_by_itself_and_blocks_nothing(context: AppContext) -> None:
    app = InterviewerApp(context, None, findings)
    async with app.run_test(size=NARROW) as pilot:
        await wait_for(pilot, lambda: "To fix: sandbox. Press x for instructions" in shown_text(app), "what was found")
        await pilot.press("x")
        await wait_for(pilot, lambda: isinstance(app.screen, DoctorScreen), "the doctor")
        await wait_for(pilot, lambda: "Fix: Start Docker." in shown_text(app), "the fix")
        text = shown_text(app)
        assert text.index("no  sandbox") < text.index("ok  python")
        await pilot.press("c")
        assert "Start Docker." in app.clipboard
        await pilot.press("escape", "m", "2")
        await stage_of(pilot)


async def test_what_was_fixed_is_no_longer_to_fix(context: AppContext) -> None:
    is_fixed: list[bool] = []

    def examine() -> Sequence[Found]:
        return [replace(found, is_ok=True) if is_fixed else found for found in findings()]

    app = InterviewerApp(context, None, examine)
    async with app.run_test(size=NARROW) as pilot:
        await wait_for(pilot, lambda: "To fix: sandbox." in shown_text(app), "what was found")
        is_fixed.append(True)
        await pilot.press("x")
        await wait_for(pilot, lambda: "ok  sandbox" in shown_text(app), "the new result")
        await pilot.press("escape")
        await wait_for(pilot, lambda: isinstance(app.screen, HomeScreen), "home")
        await wait_for(pilot, lambda: "All checks passed" in shown_text(app), "the new result at home")
        assert "To fix" not in shown_text(app)


async def test_home_says_that_a_required_model_is_missing(context: AppContext) -> None:
    context.settings = replace(context.settings, examiner="llm")
    app = open_app(context)
    async with app.run_test(size=WIDE) as pilot:
        await wait_for(pilot, lambda: "Press y to set up a language model" in shown_text(app), "what is missing")
        assert "Examiner: none, because no language model is selected" in shown_text(app)
        assert "offline examiner" not in shown_text(app)


async def test_a_later_run_checks_nothing_by_itself(context: AppContext) -> None:
    interview_of(context, questions=("clipping",)).end()
    asked: list[int] = []

    def examine() -> Sequence[Found]:
        asked.append(1)
        return findings()

    app = InterviewerApp(context, None, examine)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.pause(0.6)
        assert asked == []
        await pilot.press("x")
        await wait_for(pilot, lambda: "Start Docker." in shown_text(app), "the fix")


@pytest.mark.expectation(number=3)
async def test_settings_are_written_with_comments_kept(context: AppContext) -> None:
    file = context.folders.config_file
    file.parent.mkdir(parents=True)
    file.write_text('# mine\nminutes = 30  # short\n\n[keys]\n"challenge.hint" = "f10"\n')
    app = open_app(context)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await pilot.press("s")
        await wait_for(pilot, lambda: isinstance(app.screen, SettingsScreen), "the settings")
        await choose(app, pilot, "minutes")
        assert isinstance(app.screen, PromptScreen)
        await pilot.press(*["backspace"] * 4, *"55", "enter")
        await choose(app, pilot, "theme")
        await pilot.press("3")
        await choose(app, pilot, "bell")
        await pilot.press("down", "enter")
        await pilot.pause()
        assert app.theme == "interviewer-light"
        assert context.settings.minutes == 55
        assert context.settings.bell is False
    text = file.read_text()
    assert text.startswith("# mine\nminutes = 55.0  # short\n")
    assert tomllib.loads(text) == {
        "minutes": 55.0,
        "theme": "interviewer-light",
        "bell": False,
        "keys": {"challenge.hint": "f10"},
    }


@pytest.mark.expectation(number=63)
async def test_animations_can_be_switched_off_now_and_for_good(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        app.animation_level = "full"
        await pilot.press("s")
        await choose(app, pilot, "animations")
        await pilot.press("down", "enter")
        await wait_for(pilot, lambda: app.animation_level == "none", "the end of all movement")
    assert tomllib.loads(context.folders.config_file.read_text()) == {"animations": False}
    assert open_app(context).animation_level == "none"


async def choose(app: InterviewerApp, pilot: Pilot[None], key: str) -> None:
    await wait_for(pilot, lambda: isinstance(app.screen, SettingsScreen), "the list")
    rows = app.screen.query_one(OptionList)
    rows.highlighted = list(ABOUT).index(key)
    await pilot.press("enter")
    await pilot.pause()


async def test_a_setting_that_cannot_be_and_one_that_the_environment_overrides(context: AppContext) -> None:
    context.environ = {"INTERVIEWER_SANDBOX": "process"}
    context.use(replace(context.settings, sandbox="process"))
    app = open_app(context)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press("s")
        await wait_for(pilot, lambda: isinstance(app.screen, SettingsScreen), "the settings")
        assert "INTERVIEWER_SANDBOX overrides the file" in shown_text(app)
        await choose(app, pilot, "minutes")
        await pilot.press(*"x", "enter")
        await wait_for(pilot, lambda: "expected a number" in shown_text(app), "the refusal")
        assert not context.folders.config_file.exists()
        await choose(app, pilot, "sandbox")
        await pilot.press("1")
        await wait_for(pilot, lambda: "INTERVIEWER_SANDBOX is set" in shown_text(app), "what overrides it")
        assert context.settings.sandbox == "process"


async def test_an_option_of_the_command_line_is_shown_as_such_and_can_be_saved(context: AppContext) -> None:
    file = context.folders.config_file
    file.parent.mkdir(parents=True)
    file.write_text("minutes = 30\n")
    context.use(load_settings(context.folders, context.environ, {"minutes": 20.0, "sandbox": "process"}))
    app = open_app(context)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await pilot.press("s")
        await wait_for(pilot, lambda: isinstance(app.screen, SettingsScreen), "the settings")
        shown = {line.split()[0]: line for line in shown_text(app).splitlines() if line.strip()}
        assert "20   only for this run; otherwise 30" in shown["minutes"]
        assert "process   only for this run; otherwise docker" in shown["sandbox"]
        assert "this run" not in shown["examiner"]
        await choose(app, pilot, "sandbox")
        await pilot.press("2")
        await wait_for(pilot, lambda: "Saved to" in shown_text(app), "the file")
        assert shown_text(app).count("only for this run") == 1
        await choose(app, pilot, "minutes")
        await pilot.press("escape")
        await choose(app, pilot, "model")
        await pilot.press(*"gpt", "enter")
        await wait_for(pilot, lambda: "Model setup" in shown_text(app), "the next step")
    assert tomllib.loads(file.read_text()) == {"minutes": 30, "sandbox": "process"}


def test_every_setting_is_on_the_screen() -> None:
    assert set(ABOUT) == {field.name for field in fields(Settings)}


@pytest.mark.expectation(number=23)
async def test_own_keys_hold_and_a_clash_is_named(context: AppContext) -> None:
    context.settings = replace(context.settings, keys={"interview.hint": "f9"})
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await stage_of(pilot)
        await wait_for(pilot, lambda: "conflicts with" in shown_text(app), "the clash")
        assert "interview.skip" in shown_text(app)
        await pilot.press("f9")
        await wait_for(pilot, lambda: "clipping rung 1?" in shown_text(app), "the help")


@pytest.mark.slow
async def test_own_keys_that_share_an_action_move_together(context: AppContext) -> None:
    context.settings = replace(context.settings, keys={"interview.submit": "f7"})
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await pilot.press(*"word1", "enter")
        await wait_for(pilot, lambda: bool(screen.interview.session.drill.answers), "the answer")
        await stage_of(pilot)
        await pilot.press("f9")
        await wait_for(pilot, lambda: bool(screen.query("#marks")), "the marks")
        await stage_of(pilot)
        await pilot.press("f7")
        await wait_for(pilot, lambda: screen.interview.session.is_over, "the marks to be confirmed")


@pytest.mark.expectation(number=23)
def test_wrong_keys_are_named() -> None:
    assert find_key_problems({"challenge.hint": "f10"}) == []
    assert find_key_problems({"challenge.hint": "f9", "challenge.skip": "f8"}) == []
    (unknown,) = find_key_problems({"challenge.hnt": "f10"})
    assert "unknown binding challenge.hnt; known: challenge.hint" in unknown
    assert "keys: raw=f5 conflicts with challenge.pause (Pause), which uses the same key" in find_key_problems(
        {"raw": "f5"}
    )


@pytest.mark.slow
@pytest.mark.expectation(number=18)
async def test_the_palette_leads_everywhere_but_not_out_of_a_session(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.pause()
        titles = {command.title for command in app.get_system_commands(app.screen)}
        ways = {"Mock interview", "Timed challenge", "Drill a topic", "Browse questions and tasks", "Log"}
        assert ways | {"Settings", "Doctor", "Theme", "Quit"} <= titles
        await pilot.press("ctrl+p", *"browse quest")
        await pilot.pause(0.4)
        await pilot.press("enter")
        await wait_for(pilot, lambda: isinstance(app.screen, BrowseScreen), "the browser")
        await pilot.press("escape", "m", "2")
        screen = await stage_of(pilot)
        titles = {command.title for command in app.get_system_commands(screen)}
        assert not ways & titles
        assert {"Settings", "Doctor"} <= titles
        assert {command.title: command.help for command in app.get_system_commands(screen)}["Hint"] == "Key: f8"


@pytest.mark.expectation(number=44)
async def test_the_dialogs_say_whether_there_is_a_pause(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        for key, words in (("m", "cannot be paused"), ("t", "You can pause")):
            await pilot.press(key)
            await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the dialog")
            await pilot.pause()
            assert words in " ".join(shown_text(app).split())
            await pilot.press("escape")
            await pilot.pause()


@pytest.mark.expectation(number=60)
async def test_every_offered_theme_is_there_and_switches_live(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.pause()
        assert set(OFFERED) <= set(app.available_themes)
        is_dark = [app.available_themes[name].dark for name in OFFERED]
        assert is_dark.count(True) >= 4
        assert is_dark.count(False) >= 4
        for theme in OWN:
            app.theme = theme.name
            await pilot.pause()
            assert app.screen.styles.background.hex.lower() == (theme.background or "").lower()


@pytest.mark.expectation(number=19)
async def test_the_focus_returns_after_every_dialog(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.pause()
        for key in ("m", "f1", "b", "l", "s"):
            await pilot.press(key)
            await pilot.pause()
            assert not isinstance(app.screen, HomeScreen), key
            await pilot.press("escape")
            await wait_for(pilot, lambda: isinstance(app.screen, HomeScreen), f"home after {key}")
            await pilot.pause()
            assert app.focused is app.screen.query_one(OptionList), key


async def test_the_mouse_chooses_too(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        # Once the log has been read, there are more lines below the menu, which moves up.
        await wait_for(pilot, lambda: "looking for an unfinished session" not in shown_text(app), "the log")
        await pilot.pause()
        await pilot.click("#menu", offset=(6, 2))
        await wait_for(pilot, lambda: "Bug-hunt hour" in shown_text(app), "the challenge's dialog")
        await pilot.click("OptionList", offset=(6, 1))
        await wait_for(pilot, lambda: "half the time" in shown_text(app), "the offer")
        await pilot.press("enter")
        await wait_for(pilot, lambda: isinstance(app.screen, ChallengeScreen), "the challenge")
        await pilot.click("#view-code")
        await wait_for(pilot, lambda: getattr(app.focused, "id", "") == "code", "the code")


@pytest.mark.expectation(number=13)
async def test_a_too_small_window_says_so_at_home(context: AppContext) -> None:
    app = open_app(context)
    async with app.run_test(size=(59, 20)) as pilot:
        await pilot.pause()
        assert "60 × 15" in shown_text(app)
        await pilot.resize_terminal(60, 15)
        await pilot.pause()
        assert "Mock interview" in shown_text(app)
        assert app.screen.query_one("#status", Static).display
