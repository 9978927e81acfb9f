"""The interviewer's quotes appear as they were said, streamed or drawn at once; no character becomes markup."""

from __future__ import annotations

import pytest

from interviewer.interview.context import AppContext
from interviewer.session import phrases
from interviewer.session.move import MoveKind
from interviewer.tui.screens.debrief import DebriefScreen
from interviewer.tui.widgets.answer_box import AnswerBox
from interviewer.tui.widgets.markdown import QuotedText
from interviewer.tui.widgets.transcript import Transcript, TurnView
from tests.tui.conftest import WIDE, interview_of, open_app, shown_text, stage_of, wait_for

SAID = [
    "2*32e9*6000*256 = 9.8e16 over 8*400e12",
    "old_logp_ and _new_ in __init__ of `x`, **not** <b>it</b> &amp; on",
    r"ratio $\pi_\theta$ costs $5 \* 2 | # ~~x~~ [a](b) ![c](d)",
]


async def test_a_quote_comes_back_as_it_was_said(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        screen.query_one(AnswerBox).text = "That is a matter of taste."
        await pilot.press("enter")
        await wait_for(pilot, lambda: "clipping rung 1?" in shown_text(app), "the first rung")
        # An answer about a point of a different rung is quoted, and the question stays the same.
        screen.query_one(AnswerBox).text = f"word3 {SAID[0]}"
        await pilot.press("enter")
        await wait_for(pilot, lambda: f"“word3 {SAID[0]}”" in shown_text(app), "the quote as it was said")
        assert screen.interview.session.transcript[-1].is_interviewer


@pytest.mark.parametrize("said", SAID)
async def test_a_quote_is_shown_sign_by_sign(context: AppContext, said: str) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=WIDE) as pilot:
        transcript = (await stage_of(pilot)).query_one(Transcript)
        spoken = phrases.you_said(said)
        await transcript.begin(MoveKind.PROBE)
        for start in range(0, len(spoken), 7):
            transcript.write(spoken[start : start + 7])
            await pilot.pause(0.03)
        await transcript.end()
        await wait_for(pilot, lambda: f"“{said}”" in shown_text(app), "the quote as it was said")
        await transcript.drop_unfinished()
        assert f"“{said}”" not in shown_text(app)
        # As after a resume, where it is not streamed.
        await transcript.mount(TurnView(spoken, MoveKind.PROBE))
        await wait_for(pilot, lambda: f"“{said}”" in shown_text(app), "the same, drawn at once")


async def test_what_a_submission_raised_is_shown_sign_by_sign(context: AppContext) -> None:
    raised = "Case a_b_c: Net.__init__() takes *args* and `x`"
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=WIDE) as pilot:
        transcript = (await stage_of(pilot)).query_one(Transcript)
        await transcript.begin(MoveKind.VERDICT)
        transcript.write(f"{raised}\n\nWhat does `forward` get?")
        await transcript.end()
        await wait_for(pilot, lambda: "What does forward get?" in shown_text(app), "the question, as Markdown")
        assert raised in shown_text(app)
        await transcript.drop_unfinished()
        await transcript.mount(TurnView(f"{raised}\n\nWhat does `forward` get?", MoveKind.VERDICT))
        await wait_for(pilot, lambda: raised in shown_text(app), "the same, drawn at once")


def test_markup_around_a_quote_stays_markup() -> None:
    quoted = QuotedText()
    pieces = ["**a** “", "x*", "y", "” **b** “*", "c\n", "**d**"]
    assert "".join(map(quoted.feed, pieces)) == "**a** “x&#42;y” **b** “&#42;c\n**d**"


async def test_the_debrief_shows_brackets_and_underscores_as_they_were_typed(context: AppContext) -> None:
    typed = "word1 is scale[0, 0] of kv_cache, a*b and `x`"
    interview = interview_of(context, questions=("clipping",))
    app = open_app(context, interview)
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        screen.query_one(AnswerBox).text = typed
        await pilot.press("enter")
        await wait_for(pilot, lambda: bool(interview.session.drill.answers), "the answer")
        app.push_screen(DebriefScreen(interview.session, lambda session, *_: session))
        await wait_for(pilot, lambda: f"“{typed}”" in shown_text(app), "the quote in the debrief")
