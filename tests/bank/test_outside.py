"""Outside answers are judged at least as well as when they were added; no rule may be tuned on the held-out half."""

from __future__ import annotations

from collections import Counter

import pytest

from interviewer.bank.load import load_questions
from interviewer.examiner.matching.learned import LOAD_SECONDS, LearnedMatcher
from interviewer.session.assessment import State
from tests.bank.outside import KINDS, compare, judge_all, load_outside
from tests.recorded import whole_bank

pytestmark = pytest.mark.content
ALL_GRADES = {State.SHOWN, State.PARTIAL, State.CONTRADICTED}


def test_the_half_held_back_is_heard_no_worse_than_when_it_came_in() -> None:
    judged = judge_all()
    assert {answer.kind for answer, _ in judged} == set(KINDS)
    assert min(Counter(answer.is_held_back for answer, _ in judged).values()) >= 70
    held = compare(pair for pair in judged if pair[0].is_held_back)
    assert held.heard >= 0.6 * held.credited, str(held)
    assert held.undeserved <= 0.2 * held.given, str(held)


@pytest.mark.recorded(subject_of=whole_bank)
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_matcher_hears_more_of_that_half_credits_less_that_is_wrong_and_notices_contradictions() -> None:
    matcher = LearnedMatcher()
    assert matcher.wait(LOAD_SECONDS)
    held = compare(judge_all(matcher, lambda answer: answer.is_held_back))
    matcher.close()
    assert held.heard >= 0.6 * held.credited, str(held)
    assert held.undeserved <= 0.15 * held.given, str(held)
    assert held.noticed >= 0.4 * held.contradicted, str(held)


def test_figures_count_what_was_heard_missed_and_credited_wrongly() -> None:
    answers = load_outside({question.id: question for question in load_questions()})
    answer = next(answer for answer in answers if set(answer.states.values()) >= ALL_GRADES)
    perfect = compare([(answer, answer.states)])
    assert perfect.noticed == perfect.contradicted > 0
    assert perfect.undeserved == 0
    fully = sum(state is State.SHOWN for state in answer.states.values())
    assert perfect.full == perfect.full_heard == fully < perfect.credited
    flattering = compare([(answer, dict.fromkeys(answer.states, State.SHOWN))])
    assert (flattering.noticed, flattering.undeserved) == (0, perfect.contradicted)
