"""The shipped matcher tells a claim from its opposite in wording it was not trained on, and by the wording alone."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from interviewer.bank.load import load_questions
from interviewer.examiner.matching.learned import MODEL, LearnedMatcher, Window
from interviewer.examiner.matching.sentences import normalize, split_sentences
from interviewer.examiner.offline import OfflineExaminer
from interviewer.session.assessment import State
from tests.bank.matcher.decision import (
    STATEMENT,
    Case,
    answers_to_learn_from,
    auc,
    cross_validated,
    is_contradicted,
    is_credited,
    make_cases,
)
from tests.bank.matcher.material import (
    NEAR,
    OF_KIND,
    SHOWS,
    STATEMENTS,
    is_kept_out,
    is_left_to_decision,
    near_statements,
    statements,
)
from tests.recorded import whole_bank

pytestmark = [pytest.mark.content, pytest.mark.recorded(subject_of=whole_bank), pytest.mark.slow]
QUESTIONS = {question.id: question for question in load_questions()}
_EVERY = 5


@pytest.fixture(scope="module")
def matcher() -> Iterator[LearnedMatcher]:
    """Return the shipped matcher once it is ready."""
    running = LearnedMatcher()
    assert running.wait(60)
    yield running
    running.close()


@pytest.fixture(scope="module")
def cases(matcher: LearnedMatcher) -> list[Case]:
    """Return the points of some answers that the encoder was not trained on."""
    answers = [answer for answer in answers_to_learn_from(QUESTIONS) if answer.source != STATEMENT]
    return make_cases(QUESTIONS, answers[::_EVERY], matcher)


def best(windows: Sequence[Window]) -> tuple[float, float]:
    return max(window.shows for window in windows), max(window.contradicts for window in windows)


def test_statements_kept_out_of_training_are_told_from_their_opposites_and_from_other_points(
    matcher: LearnedMatcher,
) -> None:
    right_way, is_shown, own_shows, other_shows = [], [], [], []
    for question in list(QUESTIONS.values())[::_EVERY]:
        says = {point.id: normalize(point.for_judge) for point in question.points}
        kept = [entry for entry in statements(STATEMENTS, question) if entry[0] in says and is_kept_out(entry[2])]
        for at, (point, kind, text) in enumerate(kept):
            others = [claim for other, claim in says.items() if other != point]
            found = matcher.find([says[point], others[at % len(others)]], [s.text for s in split_sentences(text)])
            assert found is not None
            (shows, contradicts), (shows_other, _) = best(found[0]), best(found[1])
            is_shown.append(OF_KIND[kind] == SHOWS)
            right_way.append((shows > contradicts) is is_shown[-1])
            own_shows.append(shows)
            other_shows.append(shows_other)
    assert len(right_way) >= 100
    # A stored wrong statement is usually its claim with one change.
    assert sum(right_way) >= 0.7 * len(right_way)
    shown = [shows for shows, is_right in zip(own_shows, is_shown, strict=True) if is_right]
    assert auc(shown + other_shows, [True] * len(shown) + [False] * len(other_shows)) >= 0.85


@pytest.mark.timeout(300)
def test_a_right_statement_in_the_words_of_the_claim_is_no_contradiction(matcher: LearnedMatcher) -> None:
    """The first weights mistook similar wording for contradiction: in training, only wrong statements were similar."""
    examiner = OfflineExaminer(matcher)
    found: dict[str, list[State]] = {"near": [], "core": [], "far_wrong": []}
    told = [
        (question, *statement)
        for question in QUESTIONS.values()
        if is_left_to_decision(question.id)
        for statement in near_statements(NEAR, question)
    ]
    for question, point, kind, text in told[::_EVERY]:
        found[kind].append(examiner.assess(question, question.prompt, text).state_of(point))
    credited = {kind: sum(state.credit > 0 for state in states) / len(states) for kind, states in found.items()}
    denied = {kind: states.count(State.CONTRADICTED) / len(states) for kind, states in found.items()}
    assert min(map(len, found.values())) >= 40
    assert credited["near"] >= 0.8
    assert credited["core"] >= 0.65
    assert credited["far_wrong"] <= 0.05
    assert max(denied["near"], denied["core"]) <= 0.05
    assert denied["far_wrong"] >= 0.4


def test_the_decision_sees_credit_and_contradiction_and_not_the_length_of_an_answer(cases: list[Case]) -> None:
    """Cross-validated over questions. An earlier model over whole answers had learned that long answers are good."""
    deserves, denies = [is_credited(case) for case in cases], [is_contradicted(case) for case in cases]
    lengths = [float(len(case.answer.text.split())) for case in cases]
    credit = auc(cross_validated(cases, is_credited), deserves)
    assert credit >= 0.85
    assert auc(cross_validated(cases, is_contradicted), denies) >= 0.8
    assert max(auc(lengths, deserves), 1 - auc(lengths, deserves)) <= credit - 0.15


def test_permuted_labels_teach_nothing(cases: list[Case]) -> None:
    """A leak of labels into the features would be visible here."""
    states = [case.deserves for case in cases]
    random.Random(0).shuffle(states)
    permuted = [
        replace(case, answer=replace(case.answer, states={case.point: state}))
        for case, state in zip(cases, states, strict=True)
    ]
    assert 0.4 <= auc(cross_validated(permuted, is_credited), [is_credited(case) for case in permuted]) <= 0.6


def test_the_model_that_ships_is_small_and_names_its_origin() -> None:
    assert sum(file.stat().st_size for file in MODEL.iterdir()) <= 30_000_000
    assert "Apache" in (MODEL / "NOTICE").read_text(encoding="utf-8")
