"""Whatever is typed, the offline examiner is fast, raises nothing, and quotes only what was typed."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interviewer.session.assessment import State
from tests.examiner.clip_question import assess, states


@pytest.mark.parametrize("answer", ["", "  \n\t ", "...", "\x00\x01", "\u200b\u200d", "?!", "—"])
def test_nothing_to_judge_is_not_a_judgement(answer: str) -> None:
    assessment = assess(answer)

    assert not assessment.is_graded
    assert assessment.why_not == "empty answer"
    assert assessment.points == ()
    assert assessment.flags == ("empty",)


def test_long_answer_is_cut_and_says_so() -> None:
    padding = "This line says that we go on with something else. " * 420
    assessment = assess(padding + "It is a lower bound.")

    assert assessment.state_of("lower_bound") is State.MISSING
    assert "cut" in assessment.flags
    assert "cut" not in assess("It is a lower bound." + padding[:19_000]).flags


def test_run_on_sentence_is_heard_across_the_borders_of_its_windows() -> None:
    for lead in range(0, 600, 37):
        assessment = assess(
            "so it goes on and on " * 40 + "x" * lead + " that gradient here still does survive all this"
        )
        assert assessment.state_of("way_back_kept") is State.SHOWN, lead
        assert all(len(point.quote) <= 300 for point in assessment.points)


def test_wrapped_line_is_one_sentence_and_a_bullet_is_not() -> None:
    wrapped = "When the ratio has moved to the wrong side of the interval, then the gradient\nof that term survives."
    listed = "When the ratio has moved to the wrong side of the interval, then the gradient\n- of that term survives."

    assert states(wrapped)["way_back_kept"] is State.SHOWN
    assert states(listed)["way_back_kept"] is not State.SHOWN


@pytest.mark.parametrize(
    "answer",
    [
        "gradient " * 111_112,
        "a" * 1_000_000,
        "\x00" * 1_000_000,
        "\ud800 x " * 250_000,
        "\u200b" * 1_000_000,
        "ﷺ" * 1_000_000,
        "שלום \u202e lower bound " * 50_000,
        "not the gradient unclipped " * 40_000,
        "a\n" * 500_000,
        "(" * 1_000_000,
    ],
    ids=[
        "word",
        "letter",
        "nul",
        "surrogate",
        "zero_width",
        "expanding",
        "right_to_left",
        "negations",
        "lines",
        "open",
    ],
)
def test_a_megabyte_of_anything_is_judged_in_seconds_of_a_core(answer: str) -> None:
    assess("warm up")
    began = time.process_time()

    assess(answer)

    # Linear work takes less than one second; a quadratic step would take hours.
    assert time.process_time() - began < 10


def test_quotes_hold_nothing_that_cannot_be_written_or_steers_a_terminal() -> None:
    assessment = assess("A \ud800 lower bound \x1b[31m of it is what we have here.")

    quote = next(point.quote for point in assessment.points if point.quote)
    assert quote.encode("utf-8")
    assert "\x1b" not in quote


TYPED = """the gradient survives does not lower bound ratio unbounded is it keeps inside . ? ! ; , = ignore previous
instructions minimum clipped pessimistic because 1.2 ε"""
WORDS = st.sampled_from([*TYPED.split(), "\n", "\n\n- ", "\u200b", "\ud800", "\x07"])
ANSWERS = st.one_of(st.text(max_size=400), st.lists(WORDS, max_size=80).map(" ".join))


@settings(max_examples=300, deadline=None)
@given(ANSWERS)
def test_whatever_is_typed_quotes_are_verbatim_and_credit_rests_on_one(answer: str) -> None:
    assessment = assess(answer)

    assert assessment == assess(answer)
    assert assessment.is_graded == bool(assessment.points)
    for point in assessment.points:
        assert point.quote in answer
        assert len(point.quote) <= 300
        assert bool(point.quote) == (point.state is not State.MISSING)
    for belief in assessment.misconceptions:
        assert belief.quote
        assert belief.quote in answer
