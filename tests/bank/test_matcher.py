"""The matcher that ships tells a claim from its opposite in words it was not trained on, and by the words alone."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from interviewer.bank.load import load_questions
from interviewer.examiner.matching.learned import MODEL, LearnedMatcher, Window
from interviewer.examiner.matching.sentences import normalize, split_sentences
from tests.bank.matcher.decision import (
    Case,
    answers_to_learn_from,
    auc,
    cross_validated,
    is_contradicted,
    is_credited,
    make_cases,
)
from tests.bank.matcher.material import OF_KIND, PASSAGES, SHOWS, STATEMENTS, is_kept_out, statements
from tests.recorded import whole_bank

pytestmark = [pytest.mark.content, pytest.mark.recorded(subject_of=whole_bank), pytest.mark.slow]
QUESTIONS = {question.id: question for question in load_questions()}
_EVERY = 5


@pytest.fixture(scope="module")
def matcher() -> Iterator[LearnedMatcher]:
    """Return the matcher that ships, ready."""
    running = LearnedMatcher()
    assert running.wait(60)
    yield running
    running.close()


@pytest.fixture(scope="module")
def cases(matcher: LearnedMatcher) -> list[Case]:
    """Return the points of some answers that the encoder was not trained on."""
    return make_cases(QUESTIONS, list(answers_to_learn_from(QUESTIONS, PASSAGES))[::_EVERY], matcher)


def best(windows: Sequence[Window]) -> tuple[float, float]:
    return max(window.shows for window in windows), max(window.contradicts for window in windows)


def test_statements_kept_out_of_training_are_told_from_their_opposites_and_from_other_points(
    matcher: LearnedMatcher,
) -> None:
    right_way, is_shown, own_shows, other_shows = [], [], [], []
    for question in list(QUESTIONS.values())[::_EVERY]:
        says = {point.id: normalize(point.says) for point in question.points}
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
    assert sum(right_way) >= 0.8 * len(right_way)
    shown = [shows for shows, is_right in zip(own_shows, is_shown, strict=True) if is_right]
    assert auc(shown + other_shows, [True] * len(shown) + [False] * len(other_shows)) >= 0.85


def test_the_decision_sees_credit_and_contradiction_and_not_the_length_of_an_answer(cases: list[Case]) -> None:
    """Cross-validated over questions. A head over whole answers once learned that long answers are good."""
    deserves, denies = [is_credited(case) for case in cases], [is_contradicted(case) for case in cases]
    lengths = [float(len(case.answer.text.split())) for case in cases]
    credit = auc(cross_validated(cases, is_credited), deserves)
    assert credit >= 0.85
    assert auc(cross_validated(cases, is_contradicted), denies) >= 0.8
    assert max(auc(lengths, deserves), 1 - auc(lengths, deserves)) <= credit - 0.15


def test_permuted_labels_teach_nothing(cases: list[Case]) -> None:
    """A leak of labels into the features would show here."""
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
