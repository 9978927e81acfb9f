"""The observer's screen with real key presses: live view, questions and ticks, lost connections and new tokens."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

import pytest
from textual.pilot import Pilot
from textual.widgets._footer import FooterKey

from graders.verdict import Verdict
from interviewer.interview.context import AppContext
from interviewer.interview.observer_client import ObserverPoller, join
from interviewer.interview.observer_host import QUESTION_CHARS_MAX
from interviewer.interview.runner import Interview
from interviewer.interview.sessions import resume_interview
from interviewer.log.observer_notes import ASK
from interviewer.session.assessment import State
from interviewer.tui.observer_app import ObserverApp
from interviewer.tui.screens.dialogs import PromptScreen
from interviewer.tui.screens.observer import SESSION_CLOSED, ObserverScreen
from interviewer.tui.widgets.answer_box import AnswerBox
from interviewer.tui.widgets.code_editor import CodeMirror
from tests.fakes import RecordingFrontend
from tests.tui import conftest
from tests.tui.conftest import NARROW, STARTER, WIDE, PreparedClient, interview_of, report, shown_text, wait_for

pytestmark = pytest.mark.slow

context = conftest.context
client = conftest.client
HOSTILE = "[red]x[/] [@click=app.quit]y[/] **z** \x1b[31mq\u202e"


def live(context: AppContext, *questions: str, tasks: tuple[str, ...] = ()) -> tuple[Interview, str]:
    """Return a running session and its token."""
    interview = interview_of(context, questions=questions, tasks=tasks)
    interview.go_live()
    assert interview.live
    interview.run_until_input(RecordingFrontend())
    return interview, interview.live.token


def watching(context: AppContext, token: str) -> ObserverApp:
    return ObserverApp(context, join(context.log, None, token, "ada"))


async def sees(pilot: Pilot[None], text: str) -> None:
    await wait_for(pilot, lambda: text in shown_text(pilot.app), f"{text!r}")


async def test_it_shows_the_talk_what_is_typed_and_the_rubric_with_the_answers(context: AppContext) -> None:
    interview, token = live(context, "clipping")
    app = watching(context, token)
    async with app.run_test(size=WIDE) as pilot:
        await sees(pilot, "Point 1 of clipping.")
        await sees(pilot, "examiner - · candidate - · observer -")
        await sees(pilot, "The candidate is answering")
        assert "watching as ada" in shown_text(app)
        assert interview.live
        assert interview.live.status() == "watched by ada"
        interview.save_draft("answer", f"It is ab {HOSTILE}")
        await sees(pilot, "Candidate is typing: It is ab [red]x[/]")
        await sees(pilot, "[@click=app.quit]y[/] **z** \ufffd[31mq\ufffd")
        interview.answer("It keeps word1.")
        interview.run_until_input(RecordingFrontend())
        await sees(pilot, "examiner shown · candidate - · observer -")
        assert "It keeps word1." in shown_text(app)
        assert "Candidate is typing" not in shown_text(app)
        await pilot.press("f6", "end")
        await sees(pilot, interview.session.questions[0].rungs[-1].answer)


async def test_a_question_is_kept_for_the_next_turn_and_asked_there(context: AppContext) -> None:
    interview, token = live(context, "clipping")
    app = watching(context, token)
    async with app.run_test(size=NARROW) as pilot:
        await sees(pilot, "The candidate is answering")
        await pilot.press(*"Why so?", "enter")
        await sees(pilot, "1 question queued for the next turn")
        await wait_for(pilot, lambda: not app.screen.query_one(AnswerBox).text, "the field to be empty")
        interview.answer("It keeps word1.")
        interview.run_until_input(RecordingFrontend())
        await sees(pilot, "Interviewer · observer")
        await sees(pilot, "The candidate is answering")
        assert "waits for" not in shown_text(app)
        assert interview.session.transcript[-1].text == "Why so?"


async def test_ticks_turn_around_stay_apart_and_reach_the_session(context: AppContext) -> None:
    interview, token = live(context, "clipping")
    app = watching(context, token)
    async with app.run_test(size=NARROW) as pilot:
        await sees(pilot, "The candidate is answering")
        await pilot.press("f6", "down", "space")
        await sees(pilot, "[x] 2. Point 2 of clipping.")
        await pilot.press("down", "enter")
        await sees(pilot, "[x] 3.")
        await pilot.press("enter")
        await sees(pilot, "[-] 3.")
        assert "observer missing" in shown_text(app)
        interview.run_until_input(RecordingFrontend())
        marks = {mark.point: (mark.state, mark.who) for mark in interview.session.observed.marks}
        assert marks == {"p2": (State.SHOWN, "ada"), "p3": (State.MISSING, "ada")}
        assert not interview.session.drills[0].credits


@pytest.mark.expectation(number=68)
async def test_code_is_mirrored_as_it_is_typed_and_its_verdict_follows(
    context: AppContext, client: PreparedClient
) -> None:
    interview, token = live(context, tasks=("gae",))
    client.reports.append(report(Verdict.WRONG_VALUE))
    app = watching(context, token)
    async with app.run_test(size=WIDE) as pilot:
        mirror = await code_of(pilot)
        await wait_for(pilot, lambda: mirror.text == STARTER, "the starter")
        long = "import torch\n" + "".join(f"x{number} = {number}\n" for number in range(200))
        interview.save_draft("code:gae", long)
        await wait_for(pilot, lambda: mirror.text == long, "the code")
        assert "x199 = 199" in shown_text(app), "the view follows the typing"
        for changed in (long.replace("x150 = 150", "y = 1\nz = 2"), long.replace("x150 = 150\n", ""), f"{long}# end"):
            interview.save_draft("code:gae", changed)
            await wait_for(pilot, partial(_is_text, mirror, changed), "the changed code")
        await pilot.press("f3", "enter", "x", "ctrl+j")
        assert mirror.text == f"{long}# end"
        interview.submit("def gae(): ...")
        interview.run_until_input(RecordingFrontend())
        await sees(pilot, "wrong value")
        await sees(pilot, "expected 0.5 at [2, 0], got 0.75")


async def test_the_next_task_begins_with_its_own_name_and_starter(context: AppContext) -> None:
    # A title comes from the task's author, so none of it is markup.
    titled = [
        replace(conftest.task(name), title=title) for name, title in (("gae", "One [b]"), ("ppo_loss", "Two \x1b[2J"))
    ]
    context.full_tasks = tuple(titled)
    interview, token = live(context, tasks=("gae", "ppo_loss"))
    app = watching(context, token)
    async with app.run_test(size=WIDE) as pilot:
        mirror = await code_of(pilot)
        interview.save_draft("code:gae", "mine = 1")
        await wait_for(pilot, lambda: mirror.text == "mine = 1", "the code")
        await sees(pilot, "Part 1 of 2 · One [b]")
        assert shown_text(app).count("One [b]") == 2
        interview.skip()
        interview.run_until_input(RecordingFrontend())
        await sees(pilot, "Part 2 of 2")
        await wait_for(pilot, lambda: mirror.text == STARTER, "the starter of the next task")
        assert shown_text(app).count("Two �[2J") == 2


def _is_text(mirror: CodeMirror, text: str) -> bool:
    return mirror.text == text


async def code_of(pilot: Pilot[None]) -> CodeMirror:
    await sees(pilot, "The candidate is writing code")
    return pilot.app.screen.query_one(CodeMirror)


async def test_earlier_questions_can_still_be_ticked(context: AppContext) -> None:
    interview, token = live(context, "clipping", "entropy")
    app = watching(context, token)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("f6")
        await sees(pilot, "clipping · 1 of 1")
        interview.skip()
        interview.run_until_input(RecordingFrontend())
        await sees(pilot, "entropy · 2 of 2")
        await pilot.press("left")
        await sees(pilot, "clipping · 1 of 2")
        await pilot.press("space")
        await sees(pilot, "[x] 1. Point 1 of clipping.")
        await pilot.press("right")
        await sees(pilot, "[ ] 1. Point 1 of entropy.")


async def test_a_candidate_who_comes_back_with_the_same_token_loses_nobody(context: AppContext) -> None:
    interview, token = live(context, "clipping")
    app = watching(context, token)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await sees(pilot, "The candidate is answering")
        again = resume_interview(context, interview.session.id)
        await sees(pilot, SESSION_CLOSED)
        await pilot.press(*"Why?", "enter")
        await sees(pilot, "Not accepted")
        assert app.screen.query_one(AnswerBox).text == "Why?"
        again.go_live(token)
        await sees(pilot, "The candidate is answering")
        await pilot.press("enter")
        await sees(pilot, "1 question queued for the next turn")
        assert [note.text for note in context.log.notes.after(interview.session.id) if note.kind == ASK] == ["Why?"]


async def test_a_new_token_is_taken_where_one_watches(context: AppContext) -> None:
    interview, token = live(context, "clipping")
    app = watching(context, token)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await sees(pilot, "The candidate is answering")
        again = resume_interview(context, interview.session.id)
        again.go_live()
        assert again.live
        await sees(pilot, SESSION_CLOSED)
        await pilot.press("escape", "3", *"wrong", "enter")
        await sees(pilot, "no session has this token")
        await pilot.press("escape", "3", *again.live.token, "enter")
        await sees(pilot, "The candidate is answering")


async def test_a_token_is_asked_for_and_a_wrong_one_asked_again(context: AppContext) -> None:
    _, token = live(context, "clipping")
    app = ObserverApp(context)
    async with app.run_test(size=NARROW) as pilot:
        app.ask_token()
        await sees(pilot, "Watch a session: token")
        await pilot.press(*"0000", "enter", *"ada", "enter")
        await sees(pilot, "no session has this token")
        assert isinstance(app.screen, PromptScreen)
        await pilot.press(*(("backspace",) * 4), *token, "enter", "enter")
        await wait_for(pilot, lambda: isinstance(app.screen, ObserverScreen), "the session")
        await sees(pilot, "watching as ada")


async def test_the_end_shows_the_debrief_and_takes_nothing_more(context: AppContext) -> None:
    interview, token = live(context, "clipping", "entropy")
    app = watching(context, token)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await sees(pilot, "The candidate is answering")
        interview.skip()
        interview.run_until_input(RecordingFrontend())
        await pilot.press(*"Why?", "enter")
        await sees(pilot, "1 question queued for the next turn")
        while not interview.session.is_over:
            interview.end()
            interview.run_until_input(RecordingFrontend())
            if not interview.session.is_over:
                interview.mark(())
                interview.run_until_input(RecordingFrontend())
        await sees(pilot, "The session is over")
        await sees(pilot, "1 question not asked")
        await pilot.press("x", "enter")
        await sees(pilot, "clipping: not answered.")
        await pilot.press("escape", "f6", "space")
        await sees(pilot, "The session is over. You")
        await pilot.pause()
        assert sum(key.outer_size.width for key in app.screen.query(FooterKey)) <= 80
        await pilot.press("escape", "2")
        await wait_for(pilot, lambda: not app.is_running or app._exit, "the end")
    assert context.log.notes.present(interview.session.id, interview.session.last_at) == []


async def test_a_question_that_is_too_long_stays_in_the_field(context: AppContext) -> None:
    interview, token = live(context, "clipping")
    app = watching(context, token)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await sees(pilot, "The candidate is answering")
        box = app.screen.query_one(AnswerBox)
        box.text = "x" * (QUESTION_CHARS_MAX + 1)
        await pilot.press("enter")
        await sees(pilot, f"got {QUESTION_CHARS_MAX + 1}; not sent")
        assert len(box.text) == QUESTION_CHARS_MAX + 1
        assert context.log.notes.after(interview.session.id) == []


async def test_leaving_tells_the_candidate_and_the_views_fit_both_sizes(context: AppContext) -> None:
    interview, token = live(context, "clipping")
    app = watching(context, token)
    async with app.run_test(size=NARROW) as pilot:
        await sees(pilot, "The candidate is answering")
        await wait_for(pilot, lambda: "Point 1 of clipping." not in shown_text(app), "the narrow views")
        await pilot.resize_terminal(*WIDE)
        await sees(pilot, "Point 1 of clipping.")
        await pilot.press("ctrl+q")
    assert interview.live
    deadline = time.monotonic() + 30
    while interview.live.watchers() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert interview.live.watchers() == []


async def test_more_than_one_enter_asks_once(context: AppContext) -> None:
    interview, token = live(context, "clipping")
    app = watching(context, token)
    async with app.run_test(size=NARROW) as pilot:
        await sees(pilot, "The candidate is answering")
        await pilot.press(*"Why?", "enter", "enter", "enter")
        await sees(pilot, "1 question queued for the next turn")
        assert len(context.log.notes.after(interview.session.id)) == 1


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_every_line_is_there_before_the_first_report(
    context: AppContext, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, token = live(context, "clipping")
    monkeypatch.setattr(ObserverPoller, "run", lambda self: None)
    app = watching(context, token)
    async with app.run_test(size=size) as pilot:
        await wait_for(pilot, lambda: isinstance(app.screen, ObserverScreen), "the screen")
        await sees(pilot, "Back")
        lines = shown_text(app).split("\n")
        assert "watching as ada" in lines[0]
        assert "F4 Talk" in lines[1]
        assert "One moment …" in lines[-2]
        assert ("│" in lines[5]) is (size == WIDE)
