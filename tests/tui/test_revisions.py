"""With real key presses: answers retracted during judgment and after the reply, an appeal, and the cost of a hint."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Static

from graders.verdict import Verdict
from interviewer.examiner.examiner import NOTHING_SAID, Conversation
from interviewer.examiner.offline import OfflineExaminer
from interviewer.interview.context import AppContext
from interviewer.interview.ports import Participants
from interviewer.interview.runner import Interview
from interviewer.interview.sessions import load_session, resume_interview
from interviewer.session.assessment import Assessment
from interviewer.session.events import AnswerTakenBack, Appealed
from interviewer.session.question import Question
from interviewer.session.state import Awaiting
from interviewer.tui.screens.debrief import DebriefScreen
from interviewer.tui.screens.dialogs import ChoiceScreen, PromptScreen
from interviewer.tui.screens.interview import InterviewScreen
from interviewer.tui.widgets.answer_box import AnswerBox
from interviewer.tui.widgets.transcript import TurnView
from tests.session.build import report
from tests.tui.conftest import (
    NARROW,
    WIDE,
    PreparedClient,
    interview_of,
    open_app,
    settled,
    shown_text,
    stage_of,
    wait_for,
)

pytestmark = pytest.mark.slow

OPENING = "Why does clipping work?"


class SlowJudge(OfflineExaminer):
    """A model that thinks until it is stopped, or until `is_free` lets the offline examiner answer."""

    name = "llm:slow"

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.is_free = threading.Event()

    def assess(
        self,
        question: Question,
        asked: str,
        answer: str,
        is_cancelled: Callable[[], bool] = lambda: False,
        conversation: Conversation = NOTHING_SAID,
    ) -> Assessment:
        self.asked.append(answer)
        while not self.is_free.wait(0.01):
            if is_cancelled():
                return Assessment(self.name, is_graded=False, why_not="stopped")
        return super().assess(question, asked, answer, is_cancelled)


@pytest.fixture
def judge(context: AppContext) -> SlowJudge:
    slow = SlowJudge()
    context.participants = Participants(examiner=slow, offline=OfflineExaminer(), voice=None)
    return slow


def said(screen: InterviewScreen) -> list[str]:
    """Return what the transcript shows, turn by turn."""
    return [view.text for view in screen.query(TurnView)]


def texts_of(app: App[None]) -> list[str]:
    return [notice.message for notice in app._notifications]


async def send(pilot: Pilot[None], screen: InterviewScreen, text: str) -> None:
    await pilot.press(*text, "enter")
    await wait_for(
        pilot, lambda: screen.interview.session.last_said(by_interviewer=False) == text, f"{text} to be sent"
    )


@pytest.mark.expectation(number=31)
async def test_escape_takes_an_answer_back_while_it_is_judged(context: AppContext, judge: SlowJudge) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await send(pilot, screen, "word1 too early")
        await wait_for(pilot, lambda: "esc: retract it" in shown_text(app), "the way back to be shown")
        await pilot.press(*"and")
        await pilot.press("escape")
        await settled(pilot, screen)
        box, session = screen.query_one(AnswerBox), screen.interview.session
        assert box.text == "word1 too early\nand"
        assert box.cursor_location == (1, 3)
        assert screen.focused is box
        assert session.awaiting is Awaiting.ANSWER
        assert session.drill.answers == ()
        assert said(screen) == [OPENING]
        assert "Your turn." in shown_text(app)
        assert not any("judged this answer instead" in text for text in texts_of(app))
        events = context.log.events(session.id)
        assert isinstance(events[-1], AnswerTakenBack)
        judge.is_free.set()
        await pilot.press(*" word2", "enter")
        await settled(pilot, screen)
        [answer] = screen.interview.session.drill.answers
        assert answer.text == "word1 too early\nand word2"
        assert judge.asked == ["word1 too early", "word1 too early\nand word2"]
        assert said(screen)[:2] == [OPENING, answer.text]


async def test_what_was_taken_back_is_in_the_box_after_leaving_too(context: AppContext, judge: SlowJudge) -> None:
    interview = interview_of(context, questions=("clipping",))
    app = open_app(context, interview)
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await send(pilot, screen, "word1 early")
        await pilot.press("escape")
        await settled(pilot, screen)
        await pilot.press("ctrl+q")
    again: Interview = resume_interview(context, interview.session.id)
    assert again.session.awaiting is Awaiting.ANSWER
    assert again.draft("answer") == "word1 early"


async def test_what_is_taken_back_is_not_sent_again_with_a_queued_reply(context: AppContext, judge: SlowJudge) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        await send(pilot, screen, "word1 early")
        await wait_for(pilot, lambda: "esc: retract it" in shown_text(app), "the way back to be shown")
        await pilot.press(*"more", "enter")
        assert "your answer will be sent next" in shown_text(app)
        await pilot.press("ctrl+d")
        await settled(pilot, screen)
        assert screen.interview.session.awaiting is Awaiting.ANSWER
        assert screen.query_one(AnswerBox).text == "word1 early\nmore"
        assert judge.asked == ["word1 early"]


@pytest.mark.expectation(number=31)
async def test_once_more_after_the_reply_and_it_says_what_that_costs(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        assert "Retract" not in shown_text(app)
        await send(pilot, screen, "word1 matters")
        await settled(pilot, screen)
        await send(pilot, screen, "sent too early")
        await settled(pilot, screen)
        assert "^d Retract" in shown_text(app)
        await pilot.press("x", "ctrl+d")
        assert not isinstance(app.screen, ChoiceScreen)
        assert "You have started a reply, so you can no longer retract your last answer." in texts_of(app)
        await pilot.press("backspace", "ctrl+d")
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the price")
        assert "earns half credit" in " ".join(shown_text(app).split())
        await pilot.press("2")
        await settled(pilot, screen)
        await wait_for(pilot, lambda: screen.query_one(AnswerBox).text == "sent too early", "the answer to be back")
        assert len(screen.interview.session.drill.answers) == 1
        assert said(screen) == [turn.text for turn in screen.interview.session.transcript]
        assert len(said(screen)) == 3
        await pilot.press(*" word2", "enter")
        await settled(pilot, screen)
        assert screen.interview.session.drill.answers[-1].weight == 0.5
        assert "Retract" not in shown_text(app)


async def test_who_asks_to_hear_it_again_gets_the_question_again(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        await pilot.press(*"could you repeat that?", "enter")
        await settled(pilot, screen)
        await wait_for(pilot, lambda: "Here is my question again" in shown_text(app), "the lead")
        assert shown_text(app).count("Why does clipping work?") == 2


@pytest.mark.expectation(number=32)
async def test_a_hint_says_its_price_before_it_is_taken(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",), tasks=("gae",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        free, cheap = "free", "no credit lost; the question comes back sooner"
        for price in (free, cheap, cheap, "none left"):
            assert f"hint: {price}" in shown_text(app)
            await pilot.press("f8")
            await settled(pilot, screen)
        await pilot.press("f9")
        await settled(pilot, screen)
        assert "· hint: the task comes back sooner" in shown_text(app)


@pytest.mark.expectation(number=33)
async def test_a_finding_is_appealed_in_a_key_beside_the_own_marks(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping", "entropy")))
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        await send(pilot, screen, "word1 matters")
        await settled(pilot, screen)
        await pilot.press("f9")
        await settled(pilot, screen)
        assert "a Appeal" in shown_text(app)
        await pilot.press("down", "space", "a")
        await wait_for(pilot, lambda: isinstance(app.screen, PromptScreen), "the reason")
        await pilot.press(*"other words", "enter")
        await settled(pilot, screen)
        rows = [str(row.content) for row in screen.query(".appeal").results(Static) if row.display]
        assert rows == ["your appeal: other words"]
        drill = screen.interview.session.drill
        assert drill.appeal_of("p2") == "other words"
        assert drill.credit_of("p2") is None
        await pilot.press("ctrl+s")
        await settled(pilot, screen)
        # The ticks are as the candidate made them, and the appeal changed none of them.
        assert [mark.state.value for mark in screen.interview.session.drills[0].self_marks or ()][:2] == ["shown"] * 2


@pytest.mark.expectation(number=33)
async def test_a_finding_is_appealed_in_the_debrief_where_a_model_judged(context: AppContext, judge: SlowJudge) -> None:
    judge.is_free.set()
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=(80, 80)) as pilot:
        screen = await stage_of(pilot)
        await send(pilot, screen, "word1 matters")
        await settled(pilot, screen)
        await pilot.press("f9")
        await settled(pilot, screen)
        await wait_for(pilot, lambda: screen.interview.session.is_over, "the end")
        await pilot.press("enter")
        await wait_for(pilot, lambda: isinstance(app.screen, DebriefScreen), "the debrief")
        await pilot.press("a")
        await wait_for(pilot, lambda: isinstance(app.screen, ChoiceScreen), "the points")
        await pilot.press("3")
        await wait_for(pilot, lambda: isinstance(app.screen, PromptScreen), "the reason")
        await pilot.press(*"said so", "enter")
        await wait_for(pilot, lambda: "Your appeal: said so" in shown_text(app), "the appeal to be drawn")
        last = context.log.events(screen.interview.session.id)[-1]
        assert isinstance(last, Appealed)
        assert (last.question, last.point, last.why) == ("clipping", "p3", "said so")
        assert load_session(context.log, screen.interview.session.id).drills[0].appeal_of("p3") == "said so"


async def test_an_explanation_of_code_is_not_said_to_be_retractable(
    context: AppContext, judge: SlowJudge, client: PreparedClient
) -> None:
    client.reports = [report(Verdict.WRONG_VALUE, "max_for_min")]
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await pilot.press("f3", "x", "ctrl+s")
        await settled(pilot, screen)
        await stage_of(pilot)
        await send(pilot, screen, "it runs on")
        await wait_for(pilot, lambda: "esc: judge it offline" in shown_text(app), "the way on to be shown")
        assert "esc: retract" not in shown_text(app)
        judge.is_free.set()


async def test_marks_that_are_not_drawn_yet_cannot_be_submitted(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await send(pilot, screen, "word1")
        await settled(pilot, screen)
        screen.interview.skip()
        screen.action_confirm()
        assert screen.interview.session.drill.self_marks is None


async def test_the_text_from_an_editor_can_be_continued_and_undone(
    context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "interviewer.tui.screens.interview.open_external_editor", lambda app, text, suffix: text + " more"
    )
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await pilot.press(*"one", "ctrl+o", "!")
        box = screen.query_one(AnswerBox)
        assert box.text == "one more!"
        await pilot.press("ctrl+z", "ctrl+z")
        assert box.text == "one"
