"""A strong model's recorded judgments agree with the grades, and its prompts gave nothing away."""

from __future__ import annotations

import pytest

from interviewer.examiner.calibration.measure import agreement
from interviewer.session.assessment import State
from tests.bank.readings import Sampler, key, load_readings

pytestmark = pytest.mark.slow

QWK_MIN = 0.85
# The maximum fraction of the claimed points that may lose their state because a quote was not found in the answer.
LOST_MAX = 0.02


@pytest.fixture(scope="module")
def sampler() -> Sampler:
    return Sampler()


@pytest.mark.parametrize("is_outside", [True, False])
def test_levels_agree_with_the_grades(sampler: Sampler, is_outside: bool) -> None:
    readings = [reading for reading in load_readings() if reading.kind.startswith("outside") is is_outside]
    judged = [sampler.assessed(reading) for reading in readings]

    assert len(judged) >= 20
    assert all(answer.assessment.is_graded for answer in judged)
    assert (agreement(judged)["qwk"] or 0.0) >= QWK_MIN


def test_replies_quote_the_answers(sampler: Sampler) -> None:
    """A point whose quotes are not in the answer counts as missing, whatever the reply says."""
    readings = load_readings()
    claimed = sum(reading.reply.count('"state"') for reading in readings)
    counted = sum(
        state.state is not State.MISSING
        for reading in readings
        for state in sampler.assessed(reading).assessment.points
    )

    assert claimed * (1 - LOST_MAX) <= counted <= claimed


def test_prompts_show_no_grade_of_a_drawn_answer(sampler: Sampler) -> None:
    drawn = sampler.draw(seed=7)
    starts = {key(answer): " ".join(answer.text.split())[:40] for answer, _ in drawn}

    assert len(drawn) > 40
    for answer, prompt in drawn:
        shown = " ".join(prompt.split())
        others = [name for name, start in starts.items() if name[0] != answer.question and start in shown]
        assert not others


def test_sample_is_drawn_by_its_seed_and_without_read_answers(sampler: Sampler) -> None:
    first, same = sampler.draw(seed=7), sampler.draw(seed=7)
    read = [key(answer) for answer, _ in first]

    assert [key(answer) for answer, _ in same] == read
    assert not {key(answer) for answer, _ in sampler.draw(seed=8, but=read)} & set(read)
