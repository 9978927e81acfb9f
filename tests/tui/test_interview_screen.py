"""What must hold while the interviewer speaks and while code is graded, and for untrusted text."""

from __future__ import annotations

import pytest
from textual import events
from textual.widgets import Static

from graders.errors import GradingError
from graders.verdict import Verdict
from interviewer.errors import InterviewerError
from interviewer.interview.context import AppContext
from interviewer.interview.runner import Interview
from interviewer.interview.sessions import load_session, new_challenge
from interviewer.session.phrases import GREETING
from interviewer.session.state import Awaiting
from interviewer.tui.app_base import QUIT_SECONDS
from interviewer.tui.messages import ModelWaitChanged, NoticePosted
from interviewer.tui.screens.base_screen import TooSmall
from interviewer.tui.screens.dialogs import ChoiceScreen
from interviewer.tui.screens.home import HomeScreen
from interviewer.tui.screens.interview import InterviewScreen
from interviewer.tui.screens.session import RunnerFailed, SessionScreen
from interviewer.tui.widgets.answer_box import LINE_CHARACTERS_MAX, AnswerBox
from interviewer.tui.widgets.code_editor import CodeEditor
from interviewer.tui.widgets.transcript import Transcript, TurnView
from tests.tui.conftest import (
    NARROW,
    STARTER,
    WIDE,
    PreparedClient,
    interview_of,
    open_app,
    report,
    settled,
    shown_text,
    stage_of,
    wait_for,
    with_slow_voice,
)

HOSTILE = "[red]x[/] [@click=app.quit]y[/] **z** <b>b</b> \x1b[31mq"


@pytest.mark.expectation(number=27)
async def test_escape_stops_the_model_and_typing_goes_on_meanwhile(context: AppContext) -> None:
    with_slow_voice(context)
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        await wait_for(pilot, lambda: isinstance(app.screen, InterviewScreen), "the interview")
        screen = app.screen
        assert isinstance(screen, InterviewScreen)
        await wait_for(pilot, lambda: "esc: interrupt" in shown_text(app), "the model to be asked")
        await pilot.press(*"typed")
        assert screen.query_one(AnswerBox).text == "typed"
        assert "esc: interrupt" in shown_text(app)
        await pilot.press("escape")
        await settled(pilot, screen)
        # Half of a model's question is never shown: the bank's question follows the greeting.
        turn = screen.interview.session.transcript[0]
        assert (turn.is_cut, "Please tell me" in turn.text) == (False, False)
        assert turn.text == f"{GREETING}\n\n{screen.interview.session.questions[0].prompt}"
        assert screen.query_one(AnswerBox).text == "typed"


async def test_an_answer_sent_while_the_model_writes_waits_its_turn(context: AppContext) -> None:
    with_slow_voice(context)
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        await wait_for(pilot, lambda: "esc: interrupt" in shown_text(app), "the model to be asked")
        screen = app.screen
        assert isinstance(screen, InterviewScreen)
        await pilot.press(*"early", "enter")
        assert "your answer will be sent next" in shown_text(app)
        assert screen.query_one(AnswerBox).text == "early"
        screen.interview.stop()
        said = screen.interview
        await wait_for(pilot, lambda: said.session.last_said(by_interviewer=False) == "early", "the answer to be sent")
        assert screen.query_one(AnswerBox).text == ""


@pytest.mark.parametrize("typed", ["", "later"])
async def test_an_answer_deleted_while_it_waits_its_turn_is_not_sent(context: AppContext, typed: str) -> None:
    with_slow_voice(context)
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        await wait_for(pilot, lambda: "esc: interrupt" in shown_text(app), "the model to be asked")
        screen = app.screen
        assert isinstance(screen, InterviewScreen)
        await pilot.press(*"early", "enter", *["backspace"] * 5)
        await pilot.pause()
        assert "your answer will be sent next" not in shown_text(app)
        await pilot.press(*typed)
        screen.interview.stop()
        await settled(pilot, screen)
        assert screen.interview.session.awaiting is Awaiting.ANSWER
        assert [turn.is_interviewer for turn in screen.interview.session.transcript] == [True]
        assert screen.query_one(AnswerBox).text == typed


async def test_only_the_last_note_is_shown_until_the_next_answer(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        texts = ("m: no server answers. [b]Start it.[/b]", "m: too many requests.", f"m: {'no reply ' * 15}")
        for text in texts:
            screen.post_message(NoticePosted(text))
            await wait_for(pilot, lambda text=text: text[:70] in shown_text(app), "the note")  # type: ignore[misc]
        await pilot.pause()
        shown = shown_text(app)
        assert "no server answers" not in shown
        assert "too many requests" not in shown
        assert shown.count("no reply") == 15
        assert not app._notifications
        await pilot.press(*"word1", "enter")
        await wait_for(pilot, lambda: "no reply" not in shown_text(app), "the note to go")
        assert "too many requests" not in shown_text(app)


async def test_the_reason_for_a_retry_is_shown_during_the_wait(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        screen.become_busy("judging")
        screen.post_message(NoticePosted("The offline examiner judged this answer instead."))
        for seconds in (5.0, 9.0):
            screen.post_message(NoticePosted(f"m: the server failed (boom). Trying again in {seconds:g} s."))
            screen.post_message(ModelWaitChanged(seconds))
            await wait_for(pilot, lambda: "Retrying in" in shown_text(app), "the countdown")
            shown = shown_text(app)
            assert f"the server failed (boom). Trying again in {seconds:g} s." in shown
            assert " s · esc: retract it" in shown
            assert "Rate limited" not in shown
            screen.post_message(ModelWaitChanged(0.0))
            await wait_for(pilot, lambda: "Retrying in" not in shown_text(app), "the end of the wait")
            assert "Trying again" not in shown_text(app)
            assert "The offline examiner judged this answer instead." in shown_text(app)


@pytest.mark.parametrize("kind", ["interview", "challenge"])
async def test_no_control_character_of_a_server_reaches_the_terminal(context: AppContext, kind: str) -> None:
    interview = {
        "interview": lambda: interview_of(context, questions=("clipping",)),
        "challenge": lambda: new_challenge(context, ["gae"], 20.0),
    }[kind]()
    app = open_app(context, interview)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await wait_for(pilot, lambda: isinstance(app.screen, SessionScreen), "the session")
        for act in (
            lambda text: app.screen.post_message(NoticePosted(text)),
            lambda text: app.screen.notify(text, markup=False),
            lambda text: app.screen.post_message(RunnerFailed(InterviewerError(text))),
        ):
            act("m: boom \x1b]52;c;aGk=\x07\u202e.")
            await wait_for(pilot, lambda: "boom" in shown_text(app), "the notice")
            shown = shown_text(app)
            assert "boom \ufffd]52;c;aGk=" in shown
            assert not set(shown) & {"\x1b", "\x07", "\u202e"}
            app.clear_notifications()


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_a_notice_covers_nothing(context: AppContext, size: tuple[int, int]) -> None:
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=size, notifications=True) as pilot:
        screen = await stage_of(pilot)
        for key, widget in (("f3", screen.code_editor), ("f4", screen.answer_box)):
            await pilot.press(key)
            screen.notify("The practice log is not writable. " * 5, title="Something went wrong", markup=False)
            screen.notify("[b]Nothing to send yet.", markup=False)
            await wait_for(pilot, lambda: "[b]Nothing to send" in shown_text(app), "the notices")
            await pilot.pause()
            toasts = [toast.region for toast in app.screen.query("Toast")]
            assert shown_text(app).count("not writable") == 5 * (len(toasts) // 2)
            for other in (widget, screen.query_one("#state"), screen.query_one("KeyFooter")):
                assert other.region.height
                assert not any(region.overlaps(other.region) for region in toasts)
            assert widget.region.height > 3


@pytest.mark.slow
async def test_the_plan_tells_a_skipped_question_from_an_answered_one(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping", "entropy")))
    async with app.run_test(size=WIDE) as pilot:
        await stage_of(pilot)
        await pilot.press("f9")
        screen = await stage_of(pilot)
        assert "skipped · question" in shown_text(app)
        await pilot.press(*"word1 matters", "enter")
        await stage_of(pilot)
        await pilot.press("f9")
        await stage_of(pilot)
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: screen.interview.session.is_over, "the end")
        await stage_of(pilot)
        shown = shown_text(app)
        assert (shown.count("skipped · question"), shown.count("done · question")) == (1, 1)


async def test_leaving_while_the_model_writes_logs_nothing(context: AppContext) -> None:
    with_slow_voice(context)
    interview = interview_of(context, questions=("clipping",))
    app = open_app(context, interview)
    async with app.run_test(size=NARROW) as pilot:
        await wait_for(pilot, lambda: "esc: interrupt" in shown_text(app), "the model to be asked")
        screen = app.screen
        assert isinstance(screen, InterviewScreen)
        screen.leave()
        await wait_for(pilot, lambda: isinstance(app.screen, HomeScreen), "home")
        assert load_session(context.log, interview.session.id).transcript == ()
        assert load_session(context.log, interview.session.id).awaiting is Awaiting.WORDS


async def test_leaving_while_code_is_graded_grades_it_again_on_return(
    context: AppContext, client: PreparedClient
) -> None:
    client.gate.clear()
    interview = interview_of(context, tasks=("gae",))
    app = open_app(context, interview)
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: len(client.sources) == 1, "the grade to begin")
        screen.leave()
        await wait_for(pilot, lambda: isinstance(app.screen, HomeScreen), "home", seconds=2)
        assert load_session(context.log, interview.session.id).awaiting is Awaiting.VERDICT
        client.gate.set()
        client.reports = [report(Verdict.PASSED)]
        await pilot.press("r")
        screen = await stage_of(pilot)
        assert screen.interview.session.work.has_passed
        assert client.sources == [STARTER, STARTER]


@pytest.mark.expectation(number=34)
async def test_markup_is_shown_and_does_nothing(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        screen.query_one(AnswerBox).text = HOSTILE
        await pilot.press("enter")
        await settled(pilot, screen)
        text = shown_text(app)
        assert "[red]x[/] [@click=app.quit]y[/] **z** <b>b</b>" in text
        assert "\x1b" not in text
        assert screen.interview.session.drill.answers[0].text == HOSTILE
        # The interviewer quotes the answer in Markdown: no markup takes effect, and no text is dropped.
        await screen.query_one(Transcript).mount(TurnView(HOSTILE, screen.interview.session.transcript[0].move))
        await pilot.pause()
        assert "[red]x[/] [@click=app.quit]y[/] z <b>b</b>" in shown_text(app)


@pytest.mark.expectation(number=26)
async def test_keys_of_the_answer_box(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("enter", *"a", "ctrl+j", *"b", "alt+enter", *"c")
        assert screen.query_one(AnswerBox).text == "a\nb\nc"
        assert screen.interview.session.awaiting is Awaiting.ANSWER
        app.post_message(events.Paste("one\r\ntwo\n\x1b[0m"))
        await pilot.pause()
        assert screen.query_one(AnswerBox).text == "a\nb\ncone\ntwo\n\ufffd[0m"
        assert screen.interview.session.awaiting is Awaiting.ANSWER


async def test_what_is_typed_behind_enter_stays(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        for key in ("a", "enter", "b", "c"):
            app.post_message(events.Key(key, None if key == "enter" else key))
        await settled(pilot, screen)
        await wait_for(pilot, lambda: screen.query_one(AnswerBox).text == "bc", "the letters behind enter")
        assert screen.interview.session.drill.answers[0].text == "a"


@pytest.mark.expectation(number=22)
@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_letters_behind_a_view_key_arrive_there(context: AppContext, size: tuple[int, int]) -> None:
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=size) as pilot:
        screen = await stage_of(pilot)
        for key in ("f3", "x", "f4", "a", "b", "f2", "f3", "y", "f4", "c"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        await wait_for(pilot, lambda: screen.query_one(AnswerBox).text == "abc", "the letters in the answer")
        assert screen.query_one(CodeEditor).text == "xy" + STARTER


@pytest.mark.expectation(number=20)
async def test_letters_just_before_quit_are_kept(context: AppContext) -> None:
    interview = interview_of(context, questions=("clipping",))
    app = open_app(context, interview)
    async with app.run_test(size=NARROW) as pilot:
        await stage_of(pilot)
        for key in ("a", "b", "c", "ctrl+q"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
    assert interview.draft("answer") == "abc"


@pytest.mark.expectation(number=20)
async def test_ctrl_c_copies_and_twice_it_quits_with_everything_kept(
    context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interviewer.tui.terminal.clipboard_commands", lambda environ: [])
    interview = interview_of(context, questions=("clipping",))
    app = open_app(context, interview)
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        screen = await stage_of(pilot)
        await pilot.press(*"abc", "shift+left", "ctrl+c", "ctrl+c")
        assert app.clipboard == "c"
        await pilot.press("right", "ctrl+c")
        await wait_for(pilot, lambda: "Press ctrl+c again" in shown_text(app), "the word")
        app._ctrl_c_at -= QUIT_SECONDS
        await pilot.press("ctrl+c")
        await pilot.pause()
        assert app.screen is screen
        await pilot.press("ctrl+c")
        await wait_for(pilot, lambda: app.return_code is not None, "the end")
    assert interview.draft("answer") == "abc"


async def test_a_paste_of_a_megabyte_does_not_hang(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        app.post_message(events.Paste("a long line " * 87_400))
        await pilot.pause()
        await pilot.press("x", "enter")
        await settled(pilot, screen)
        lines = screen.interview.session.drill.answers[0].text.split("\n")
        assert max(map(len, lines)) <= LINE_CHARACTERS_MAX
        assert len(screen.interview.session.drill.answers[0].text) > 2**20
        assert "more characters; the full text is in the log" in " ".join(
            str(static.render()) for static in screen.query(Static)
        )


@pytest.mark.expectation(number=48)
async def test_resize_to_too_small_and_back(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        await pilot.press(*"kept")
        await pilot.resize_terminal(60, 14)
        await pilot.pause()
        assert "Enlarge this window" in shown_text(app)
        assert "kept" not in shown_text(app)
        await pilot.resize_terminal(*NARROW)
        await pilot.pause()
        assert not screen.query_one(TooSmall).display
        assert "kept" in shown_text(app)
        await pilot.press("!")
        assert screen.query_one(AnswerBox).text == "kept!"


@pytest.mark.expectation(number=36)
async def test_grading_can_be_cancelled_and_the_app_stays_awake(context: AppContext, client: PreparedClient) -> None:
    client.gate.clear()
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: "The grader is running your code" in shown_text(app), "word of the wait")
        await pilot.press("f4", *"meanwhile")
        assert screen.query_one(AnswerBox).text == "meanwhile"
        await pilot.press("escape")
        await settled(pilot, screen)
        text = shown_text(app)
        assert "#1 ungraded" in text
        assert "not your code" in text
        assert screen.interview.session.awaiting is Awaiting.SUBMISSION


@pytest.mark.expectation(number=42)
async def test_a_failure_of_the_grader_keeps_the_submission(context: AppContext, client: PreparedClient) -> None:
    client.reports = [GradingError("No Docker engine answers.", "Start Docker."), report(Verdict.PASSED)]
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("ctrl+s")
        await settled(pilot, screen)
        assert "Start Docker." in shown_text(app)
        await pilot.press("ctrl+s")
        await settled(pilot, screen)
        assert screen.interview.session.work.has_passed
        await pilot.press("f9")
        await settled(pilot, screen)
        assert screen.interview.session.is_over
        assert client.sources == [STARTER, STARTER]


async def test_an_error_in_the_driver_is_told_and_tried_again(context: AppContext) -> None:
    class Failing(Interview):
        has_failed = False

        def run_until_input(self, front: object) -> None:
            if not self.has_failed:
                self.has_failed = True
                raise RuntimeError("disk gone")
            super().run_until_input(front)  # type: ignore[arg-type]

    interview = interview_of(context, questions=("clipping",))
    interview.__class__ = Failing
    app = open_app(context, interview)
    async with app.run_test(size=NARROW) as pilot:
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the error to be told")
        assert "disk gone" in shown_text(app)
        await pilot.press("1")
        await wait_for(pilot, lambda: "Why does clipping work?" in shown_text(app), "the question after all")


async def test_a_log_that_cannot_be_written_loses_no_text(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        screen = await stage_of(pilot)
        context.log._connection.execute("PRAGMA query_only=1")
        await pilot.press(*"kept", "enter")
        await pilot.pause()
        assert screen.query_one(AnswerBox).text == "kept"
        await wait_for(pilot, lambda: "INTERVIEWER_HOME" in shown_text(app), "what to do about it")
        context.log._connection.execute("PRAGMA query_only=0")
        await pilot.press("enter")
        await settled(pilot, screen)
        assert screen.interview.session.drill.answers[0].text == "kept"


async def test_the_box_says_before_sending_what_will_not_be_judged(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        box = screen.query_one(AnswerBox)
        usual = box.border_subtitle
        box.text = "x" * 16_001
        await wait_for(pilot, lambda: "first 16,000 of your 16,001 characters" in str(box.border_subtitle), "the note")
        box.text = "x" * 16_000
        await wait_for(pilot, lambda: box.border_subtitle == usual, "the keys")
