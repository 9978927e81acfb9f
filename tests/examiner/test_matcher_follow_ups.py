"""Whole drills on shipped questions, judged with the shipped matcher: each follow-up fits the last answer."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from interviewer.bank.load import load_questions
from interviewer.examiner.check_answers import assess_check, spelled
from interviewer.examiner.checking_examiner import CheckedExaminer
from interviewer.examiner.matching.learned import LOAD_SECONDS, LearnedMatcher
from interviewer.examiner.offline import OfflineExaminer
from interviewer.session import phrases
from interviewer.session.assessment import Assessment, State
from interviewer.session.engine import AskSelfMarks
from interviewer.session.move import Move, MoveKind
from interviewer.session.plan import Part, Plan
from interviewer.session.policy import FIRST_RUNG
from interviewer.session.question import Question
from interviewer.session.scoring import is_rung_passed
from interviewer.session.state import Drill
from tests.bank.outside import load_outside
from tests.recorded import whole_bank
from tests.session.build import Run, started

pytestmark = [
    pytest.mark.content,
    pytest.mark.recorded(subject_of=whole_bank),
    pytest.mark.slow,
    pytest.mark.timeout(600),
]
QUESTIONS = {question.id: question for question in load_questions()}
ANSWERS = [answer for answer in load_outside(QUESTIONS) if not answer.is_held_back][::6]
_CASE_WORDS = ("for example", "for instance", "suppose")


@dataclass
class Step:
    """One answer with its judgment, the next move, and the drill before and after that move was chosen."""

    text: str
    assessment: Assessment
    move: Move
    drill: Drill
    earlier: list[Move] = field(default_factory=list)
    said: list[str] = field(default_factory=list)


def play(question: Question, opening: str, examiner: CheckedExaminer) -> list[Step]:
    """Return a drill on the question: the opening, each rung's reference answer, and all checks answered correctly."""
    plan = Plan((Part("question", question.id, 60.0),), 60.0)
    run = Run(replace(started(("question", question.id)), questions=(question,), plan=plan))
    steps: list[Step] = []
    text = opening
    while True:
        asked, drawn = run.session.answered, run.session.asked_check
        assert asked is not None
        if drawn is not None:
            text = spelled(drawn)[0]
        assessment = examiner.assess(question, asked.words, text)
        if drawn is not None:
            assessment = assess_check(assessment, drawn, text)
        earlier, said = list(run.moves), [step.text for step in steps]
        move = run.answer(assessment, text)
        if move is None or run.waits_for(AskSelfMarks):
            return steps
        steps.append(Step(text, assessment, move, run.session.drill, earlier, said))
        text = question.rungs[move.rung - 1].answer if move.rung else opening


@pytest.fixture(scope="module")
def drills() -> Iterator[list[tuple[Question, list[Step]]]]:
    """Return the drills of some outside answers."""
    matcher = LearnedMatcher()
    assert matcher.wait(LOAD_SECONDS)
    examiner = CheckedExaminer(OfflineExaminer(matcher))
    yield [
        (question, play(question, answer.text, examiner))
        for answer in ANSWERS
        for question in [QUESTIONS[answer.question]]
    ]
    matcher.close()


Drills = list[tuple[Question, list[Step]]]


def test_a_contradicted_point_is_asked_about_with_the_candidates_own_words(drills: Drills) -> None:
    asked = 0
    for question, steps in drills:
        for step in steps:
            if step.move.kind is not MoveKind.CHALLENGE or step.move.target in step.drill.exposed:
                continue
            point = question.point(step.move.target)
            quote = step.drill.contradictions[-1].quote
            asked += 1
            is_last = step.assessment.state_of(point.id) is State.CONTRADICTED
            assert step.move.lead == phrases.you_said(quote, is_earlier=not is_last)
            said = [step.text] if is_last else step.said
            assert any(" ".join(quote.split()) in " ".join(text.split()) for text in said)
            assert step.move.words == phrases.challenge(point.still_open)
            assert point.says not in step.move.text
            credit = step.drill.credit_of(point.id)
            assert credit is not None
            assert credit.state is State.CONTRADICTED
    assert asked


def test_no_contradiction_of_an_opening_by_the_first_rungs_is_passed_over(drills: Drills) -> None:
    for question, steps in drills:
        opening = steps[0]
        near = {point for rung in question.rungs[:FIRST_RUNG] for point in rung.points}
        found = [point for point in opening.assessment.points if point.state is State.CONTRADICTED]
        against = [point.id for point in found if point.id in near]
        if against and not opening.assessment.misconceptions:
            assert (opening.move.kind, opening.move.target) == (MoveKind.CHALLENGE, against[0])


def test_after_the_question_about_a_contradiction_comes_the_check_of_the_rung(drills: Drills) -> None:
    checked = 0
    for question, steps in drills:
        for before, after in itertools.pairwise(steps):
            target = before.move.target
            if before.move.kind is not MoveKind.CHALLENGE or target in before.drill.exposed:
                continue
            rungs = [number for number, rung in enumerate(question.rungs, 1) if target in rung.points]
            reached = before.move.rung or next((rung for rung in rungs if rung <= FIRST_RUNG), 0)
            has_check = any(number == reached for number in rungs) and not any(
                move.kind is MoveKind.CHECK and move.rung == reached for move in after.earlier
            )
            if has_check and not after.assessment.misconceptions:
                checked += 1
                assert (after.move.kind, after.move.rung) == (MoveKind.CHECK, reached)
    assert checked


def test_no_stock_line_follows_an_answer_with_a_case(drills: Drills) -> None:
    for _, steps in drills:
        for step in steps:
            text = step.text.lower()
            if any(character.isdigit() for character in text) or any(words in text for words in _CASE_WORDS):
                assert step.move.words != phrases.CONCRETE_CASE


def test_what_is_credited_is_not_asked_for_again(drills: Drills) -> None:
    for question, steps in drills:
        for step in steps:
            move = step.move
            if move.kind is MoveKind.DEEPER:
                assert not is_rung_passed(question, step.drill, move.rung)
            credited = [credit.point for credit in step.drill.credits if credit.state is State.SHOWN]
            for point in credited:
                assert question.point(point).still_open not in move.words
            if move.kind is MoveKind.DEEPER and move.words == question.rungs[move.rung - 1].ask:
                assert not set(credited) & set(question.rungs[move.rung - 1].points)


def test_a_probe_of_a_rung_that_was_not_asked_quotes_the_candidate(drills: Drills) -> None:
    for _, steps in drills:
        for step in steps:
            is_first = all(move.rung != step.move.rung for move in step.earlier)
            if step.move.kind is MoveKind.PROBE and is_first:
                assert step.move.lead.startswith("You said: ")
