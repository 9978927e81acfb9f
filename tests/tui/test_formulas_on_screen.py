"""Formulas and code in the interviewer's messages: rendered, shown as TeX with one key, and copied as source."""

from __future__ import annotations

from dataclasses import replace

import pytest

from interviewer.interview.context import AppContext
from interviewer.tui.widgets.transcript import Transcript
from tests.session.build import question
from tests.tui.conftest import NARROW, interview_of, open_app, shown_text, stage_of, wait_for

SAID = (
    "Derive $\\sum_{i=1}^{n} r_i$ for $\\pi_\\theta$, it costs $5.\n\n"
    "```python\nloss = -torch.min(a, b).mean()  # $x_1$\n```\n\nWhy?"
)


@pytest.mark.expectation(number=29)
async def test_formulas_are_drawn_and_raw_is_one_key_away(context: AppContext) -> None:
    context.questions = (replace(question("clipping"), prompt=SAID),)
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        await wait_for(pilot, lambda: "Why?" in shown_text(app), "the words")
        text = shown_text(app)
        assert "Derive ∑ᵢ₌₁ⁿ rᵢ for π_θ, it costs $5." in text
        assert "loss = -torch.min(a, b).mean()  # $x_1$" in text
        assert "```" not in text
        await pilot.press("ctrl+t")
        await wait_for(pilot, lambda: "$\\sum_{i=1}^{n} r_i$" in shown_text(app), "the TeX")
        await pilot.press("ctrl+t")
        await wait_for(pilot, lambda: "∑ᵢ₌₁ⁿ" in shown_text(app), "the drawn formula")
        await pilot.press("f12")
        assert app.clipboard == f"Interviewer: {SAID}\n"
        assert screen.interview.session.transcript[0].text == SAID


@pytest.mark.expectation(number=29)
async def test_a_long_line_of_code_is_folded_and_a_table_is_whole_at_80_columns(context: AppContext) -> None:
    table = "| ratio | advantage | loss |\n|---|---|---|\n| 0.5 | -1 | 0.8 |"
    said = f"Look:\n\n```python\nloss = {'torch.min(a, b) + ' * 6}the_end\n```\n\n{table}\n\nWhy?"
    context.questions = (replace(question("clipping"), prompt=said),)
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        await stage_of(pilot)
        await wait_for(pilot, lambda: "Why?" in shown_text(app), "the words")
        text = shown_text(app)
        assert "the_end" in text
        assert all(cell in text for cell in ("ratio", "advantage", "0.8"))


async def test_words_that_come_in_pieces_are_drawn_whole(context: AppContext) -> None:
    app = open_app(context, interview_of(context, questions=("clipping",)))
    async with app.run_test(size=NARROW) as pilot:
        screen = await stage_of(pilot)
        transcript = screen.query_one(Transcript)
        await transcript.begin(screen.interview.session.transcript[0].move)  # type: ignore[arg-type]
        for start in range(0, len(SAID), 7):
            transcript.write(SAID[start : start + 7])
            await pilot.pause(0.03)
        await transcript.end()
        await wait_for(pilot, lambda: "∑ᵢ₌₁ⁿ rᵢ for π_θ, it costs $5." in shown_text(app), "the formula")
        assert "# $x_1$" in shown_text(app)
