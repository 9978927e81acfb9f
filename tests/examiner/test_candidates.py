"""Whole interviews with candidates of many kinds: they end, leak nothing, repeat nothing, and credit only evidence."""

from __future__ import annotations

import random
import re

import pytest

from interviewer.bank.load import load_questions
from interviewer.chat.scripted import ScriptedJudgment, ScriptedModel
from interviewer.examiner.check_answers import assess_check
from interviewer.examiner.checking_examiner import CheckedExaminer
from interviewer.examiner.examiner import Examiner
from interviewer.examiner.gold import load_gold
from interviewer.examiner.llm import LLMExaminer
from interviewer.examiner.matching.patterns import first_match
from interviewer.examiner.matching.sentences import split_sentences
from interviewer.examiner.offline import OfflineExaminer
from interviewer.session import events
from interviewer.session.debrief import debrief
from interviewer.session.engine import AskSelfMarks, Assess, step
from interviewer.session.move import Move, MoveKind
from interviewer.session.plan import Part, Plan
from interviewer.session.policy import ANSWERS_MAX
from interviewer.session.question import Question
from interviewer.session.scoring import session_depth
from interviewer.session.state import Awaiting, Drill, Session
from tests.examiner.candidates import SEED, Candidate, candidates
from tests.recorded import whole_bank
from tests.session.build import Run

pytestmark = [pytest.mark.content, pytest.mark.recorded(subject_of=whole_bank)]

QUESTIONS = {question.id: question for question in load_questions()}
GOLD = {(answer.question, answer.kind): answer for answer in load_gold(QUESTIONS)}
CANDIDATES = candidates(GOLD)
# Every candidate gets these questions; those whose answers might wrongly earn credit get the whole bank.
SOME = ("ppo_clipping", "int8_and_fp8", "staleness_in_async_rl", "exploration_in_bandits")
ALL = tuple(sorted({question for question, _ in GOLD}))
EMPTY_HANDED = ("silent", "does_not_know", "copying_the_help", "gibberish", "repeating", "bluffing", "asking_back")
QUOTED = re.compile(r"“[^”]*”")
# One of the claims to choose from is right, and is shown on purpose.
OPTION = re.compile(r"^[A-F]\) .*$", re.MULTILINE)
VERDICT_WORDS = re.compile(
    r"\b(?:wrong|incorrect|correct|right answer|well done|good|great|excellent|exactly right|not quite|mistaken)\b",
    re.IGNORECASE,
)
MINUTES = 30.0


def interviewed(
    names: tuple[str, ...], candidate: Candidate, seconds_each: float = 20.0, judge: Examiner | None = None
) -> Run:
    """Return a finished interview with these questions."""
    examiner = CheckedExaminer(judge or OfflineExaminer())
    plan = Plan(tuple(Part("question", name, MINUTES / len(names)) for name in names), MINUTES)
    chosen = tuple(QUESTIONS[name] for name in names)
    run = Run(events.SessionStarted(1000.0, "s", SEED, plan, chosen, (), examiner.name))
    for turn in range(200):
        if run.session.is_over:
            return run
        if run.waits_for(AskSelfMarks):
            run.apply(events.SelfMarked(run.now, ()))
            continue
        assert run.session.awaiting is Awaiting.ANSWER
        question, asked = QUESTIONS[run.session.drill.question], run.session.answered
        assert asked is not None
        run.session = step(run.session, events.CandidateSaid(run.now + seconds_each, candidate(question, asked, turn)))
        effect = run.pending
        assert isinstance(effect, Assess)
        assessment = examiner.assess(question, effect.asked, effect.answer)
        if effect.check is not None:
            assessment = assess_check(assessment, effect.check, effect.answer)
        run.apply(events.Assessed(run.session.last_at, assessment))
    pytest.fail("the interview does not end")


def said_by_the_interviewer(session: Session) -> list[tuple[MoveKind, str]]:
    """Return what the interviewer said, without the candidate's own words."""
    return [(turn.move, QUOTED.sub("", turn.text)) for turn in session.transcript if turn.move is not None]


@pytest.mark.parametrize("name", CANDIDATES)
def test_it_ends_in_time_asks_nothing_twice_and_tells_no_verdict(name: str) -> None:
    run = interviewed(SOME, CANDIDATES[name])
    session = run.session
    assert session.elapsed_seconds <= 60 * MINUTES + 60
    asked = [(move.kind, move.words) for move in run.moves if move.kind in (MoveKind.DEEPER, MoveKind.PROBE)]
    assert len(asked) == len(set(asked))
    assert all(len(drill.answers) - len(drill.explained) <= ANSWERS_MAX for drill in session.drills)
    own = {rung.ask for name in SOME for rung in QUESTIONS[name].rungs} | {QUESTIONS[name].prompt for name in SOME}
    own |= {probe.ask for name in SOME for probe in QUESTIONS[name].probes}
    for kind, text in said_by_the_interviewer(session):
        if kind in (MoveKind.DEEPER, MoveKind.DOUBT, MoveKind.CLARIFY, MoveKind.NEXT):
            rest = text
            for words in own:
                rest = rest.replace(words, "")
            assert not VERDICT_WORDS.search(rest), (kind, text)
    assert debrief(session)


def judging_model(gold_kind: str) -> LLMExaminer:
    """Return a model judge that quotes the first words of every answer for every point, whatever the answer says."""

    def judgement(name: str) -> dict[str, object]:
        points = [
            {"id": point.id, "quotes": [gold_kind], "why": "so", "state": "shown"} for point in QUESTIONS[name].points
        ]
        return {"points": points, "misconceptions": [], "flags": []}

    script = [ScriptedJudgment(judgement(name), when=QUESTIONS[name].prompt) for name in SOME]
    return LLMExaminer(ScriptedModel(judgements=script), random.Random(1))


@pytest.mark.parametrize("name", CANDIDATES)
def test_a_model_that_credits_everything_earns_nobody_a_point_without_words_that_show_it(name: str) -> None:
    run = interviewed(SOME, CANDIDATES[name], judge=judging_model("words that nobody typed"))
    assert run.session.is_over
    assert not [credit for drill in run.session.drills for credit in drill.credits if credit.state.credit == 1.0]


@pytest.mark.parametrize("name", CANDIDATES)
def test_with_a_model_that_credits_nothing_it_ends_in_time_too(name: str) -> None:
    session = interviewed(SOME, CANDIDATES[name], judge=LLMExaminer(ScriptedModel(), random.Random(1))).session
    assert session.is_over
    assert session.elapsed_seconds <= 60 * MINUTES + 60
    assert all(len(drill.answers) - len(drill.explained) <= ANSWERS_MAX for drill in session.drills)


@pytest.mark.parametrize("name", ["excellent", "weak", "does_not_know", "confidently_wrong"])
def test_nothing_said_gives_an_open_point_away(name: str) -> None:
    for question in ALL:
        run = interviewed((question,), CANDIDATES[name])
        open_points = {point.id: point for point in QUESTIONS[question].points}
        texts: set[str] = set()
        for answer in run.session.drills[0].answers:
            asked = split_sentences(OPTION.sub("", QUOTED.sub("", answer.asked)))
            for point in open_points.values():
                if point.id not in texts:
                    assert first_match(point.shows, asked) is None, (question, point.id, answer.asked)
            texts |= {state.id for state in answer.assessment.points if state.state.credit}


@pytest.mark.parametrize("name", EMPTY_HANDED)
def test_whoever_says_nothing_earns_nothing_and_is_never_scored(name: str) -> None:
    for question in ALL:
        drill = interviewed((question,), CANDIDATES[name]).session.drills[0]
        shown = [credit for credit in drill.credits if credit.state.credit == 1.0]
        assert shown == [], (question, [(credit.point, credit.quote) for credit in shown])


@pytest.mark.parametrize("name", ["another_language", "pasting"])
def test_what_cannot_be_heard_is_no_reason_to_call_it_wrong(name: str) -> None:
    session = interviewed(SOME, CANDIDATES[name]).session
    assert not any(drill.beliefs for drill in session.drills)
    assert not [credit for drill in session.drills for credit in drill.credits if credit.state.credit == 1.0]


def test_whoever_knows_more_gets_deeper() -> None:
    for question in ALL:
        reached = {}
        for name in ("does_not_know", "weak", "knows_half", "excellent"):
            session = interviewed((question,), CANDIDATES[name]).session
            depth = session_depth(session, session.drills[0])
            reached[name] = depth.mean if depth else 0.0
        rungs = len(QUESTIONS[question].rungs)
        assert max(reached["does_not_know"], reached["weak"]) <= 1.5, (question, reached)
        assert reached["knows_half"] <= reached["excellent"], (question, reached)
        assert reached["excellent"] >= rungs - 1.5, (question, reached)


def test_a_right_answer_is_never_told_to_be_wrong() -> None:
    doubts = 0
    for question in ALL:
        run = interviewed((question,), CANDIDATES["excellent"])
        for move in run.moves:
            if move.kind is MoveKind.DOUBT:
                doubts += 1
                assert "colleague" in move.words
        assert not run.session.drills[0].beliefs, question
    assert doubts


def test_two_interviews_with_one_seed_are_the_same() -> None:
    first, second = (interviewed(SOME, CANDIDATES["knows_half"]).session for _ in range(2))
    assert first == second


def test_a_candidate_of_chance_never_breaks_it() -> None:
    chance = random.Random(11)
    kinds = list(CANDIDATES)

    def mixed(question: Question, move: Move, turn: int) -> str:
        return CANDIDATES[chance.choice(kinds)](question, move, turn)

    for _ in range(20):
        names = tuple(chance.sample(ALL, 3))
        session = interviewed(names, mixed, seconds_each=chance.choice([1.0, 60.0, 900.0])).session
        assert session.is_over
        assert all(isinstance(drill, Drill) for drill in session.drills)
