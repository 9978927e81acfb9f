"""Whole offline drills with simulated candidates: the reported depth is within one rung of what they know.

The judge credits three in four right statements and one in ten wrong ones, as offline matching does.
A simulated candidate's answer to a check is real text, read by the code that reads it in an interview.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from interviewer.examiner.check_answers import assess_check, spelled, wrong_answers
from interviewer.session.assessment import Assessment, Belief, PointState, State
from interviewer.session.move import Move, MoveKind
from interviewer.session.policy import ANSWERS_MAX, DecisionContext, decide
from interviewer.session.question import Check, Given, Misconception, Point, Probe, Question, Rung, WrongClaim
from interviewer.session.scoring import apply_assessment, reported_depth
from interviewer.session.state import Drill
from tests.recorded import code_alone

RUNGS = 5
RUNS = 1000
ERROR_RATE = 0.2  # of the offline examiner, on rungs
HEARD = 0.75
CREDITED_WRONGLY = 0.1
# Probability that a right statement that was missed, or an answer without knowledge, is judged a contradiction.
MISREAD = 0.3
SLIPS = 0.05
WITHIN_ONE_RUNG = 0.9
SAID = "Something long enough that one may expect a thing or two to be heard in it, were it said in the words on file."


def _check(rung: int) -> Check:
    inputs = (Given("n", (3.0, 5.0, 7.0, 11.0)),)
    if rung % 2:
        return Check(rung, "Double {n}?", inputs, number="2 * n", wrong=("n / 2", "3 * n"))
    claims = (WrongClaim("It is odd.", f"b{rung}"), WrongClaim("It is zero."))
    return Check(
        rung, "Double {n}: which?", inputs, number="2 * n", holds="It is even.", fails=claims, wrong=("n / 2",)
    )


LADDER = Question(
    id="ladder",
    area="foundations",
    level=3,
    topics=("x",),
    seeds=(),
    source=("x",),
    prompt="Why?",
    points=tuple(
        Point(f"p{rung}{side}", "Says.", ("x",), "what it is") for rung in range(1, RUNGS + 1) for side in "ab"
    ),
    rungs=tuple(
        Rung(f"Rung {rung}?", "Answer.", (f"p{rung}a", f"p{rung}b"), ("look", "closer")) for rung in range(1, RUNGS + 1)
    ),
    probes=tuple(
        Probe(f"Probe {rung}{side}?", missing=f"p{rung}{side}") for rung in range(1, RUNGS + 1) for side in "ab"
    ),
    misconceptions=tuple(
        Misconception(f"b{rung}", "Believes.", ("x",), f"Exposes {rung}?") for rung in range(1, RUNGS + 1)
    ),
    checks=tuple(_check(rung) for rung in range(1, RUNGS + 1)),
)


@dataclass
class Candidate:
    """What a candidate knows, and how they behave."""

    depth: int
    rng: random.Random
    knows_parts: str = "ab"
    above: str = ""
    gives_in: bool = False
    errs_first: bool = False
    contradicts_first: bool = False
    is_misread: bool = False

    def __post_init__(self) -> None:
        self.erred: set[int] = set()

    def knows(self, rung: int) -> bool:
        return rung <= self.depth

    def reply(self, move: Move) -> tuple[str, Assessment]:
        """Return what they say in reply to a move, and what the judge credits in it."""
        if move.kind is MoveKind.CHECK:
            drawn = LADDER.drawn_check(move.target, 1)
            text = self._check_answer(drawn, move.rung)
            flags = ("does_not_know",) if text == "I don't know." else ("gives_up",) if text == "I give up." else ()
            return text, assess_check(replace(self._heard(()), flags=flags), drawn, text)
        if move.kind is MoveKind.DOUBT:
            flags = ("gives_in",) if self.gives_in or not self.knows(move.rung) else ("stands",)
            return "So I say.", replace(self._heard(()), flags=flags)
        rungs = range(1, min(self.depth, 1 + self.rng.randrange(3)) + 1) if move.rung == 0 else (move.rung,)
        if move.kind is MoveKind.CHALLENGE and move.target.startswith("p"):
            rungs = (int(move.target[1]),)
        if not any(map(self.knows, rungs)):
            return self._unknown(move.rung)
        if self.errs_first and move.rung and move.rung not in self.erred:
            self.erred.add(move.rung)
            return SAID, replace(self._heard(()), misconceptions=(Belief(f"b{move.rung}", "it is"),))
        if self.contradicts_first and move.kind is not MoveKind.CHALLENGE and not self.erred.issuperset(rungs):
            self.erred.update(rungs)
            return SAID, self._heard((), [f"p{rung}a" for rung in rungs if self.knows(rung)])
        points = [f"p{rung}{side}" for rung in rungs if self.knows(rung) for side in self.knows_parts]
        return SAID, self._heard(points)

    def _unknown(self, rung: int) -> tuple[str, Assessment]:
        flags = {"I give up.": ("gives_up",), "I don't know.": ("does_not_know",), "echo": ("echo",)}.get(
            self.above, ()
        )
        misread = [f"p{max(1, rung)}a"] if self.is_misread and self.rng.random() < MISREAD else []
        return self.above or SAID, replace(self._heard((), misread), flags=flags)

    def _check_answer(self, drawn: object, rung: int) -> str:
        holds = self.knows(rung) != (self.rng.random() < SLIPS)
        if holds:
            return self.rng.choice(spelled(drawn))  # type: ignore[arg-type]
        if self.above:
            return self.above if self.above != "echo" else drawn.text  # type: ignore[attr-defined]
        return self.rng.choice(wrong_answers(drawn))  # type: ignore[arg-type]

    def _heard(self, said: tuple[str, ...] | list[str], against: list[str] | tuple[str, ...] = ()) -> Assessment:
        shown = {point for point in said if self.rng.random() < HEARD}
        if self.is_misread:
            against = (*against, *(point for point in said if point not in shown and self.rng.random() < MISREAD))
        if not self.above:
            shown |= {point.id for point in LADDER.points if self.rng.random() < CREDITED_WRONGLY / len(LADDER.rungs)}
        found = dict.fromkeys(shown, State.SHOWN) | dict.fromkeys(against, State.CONTRADICTED)
        states = (
            PointState(point.id, found.get(point.id, State.MISSING), "so" if point.id in found else "")
            for point in LADDER.points
        )
        return Assessment("offline", True, tuple(states))


BLUFF = (
    "Great question. In my experience it is a matter of trade-offs; one has to look at the whole system, choose the"
    " right abstraction and iterate with solid baselines."
)
KINDS: dict[str, Callable[[int, random.Random], Candidate]] = {
    "plain": Candidate,
    "gives_up": lambda depth, rng: Candidate(depth, rng, above="I give up."),
    "does_not_know": lambda depth, rng: Candidate(depth, rng, above="I don't know."),
    "bluffs": lambda depth, rng: Candidate(depth, rng, above=BLUFF),
    "only_bluffs": lambda depth, rng: Candidate(0, rng, above=BLUFF),
    "repeats_the_question": lambda depth, rng: Candidate(depth, rng, above="echo"),
    "half_right": lambda depth, rng: Candidate(depth, rng, knows_parts="a"),
    "corrects_themselves": lambda depth, rng: Candidate(depth, rng, errs_first=True),
    "contradicts_and_corrects": lambda depth, rng: Candidate(depth, rng, contradicts_first=True),
    "is_misread": lambda depth, rng: Candidate(depth, rng, is_misread=True),
    "gives_in_to_doubts": lambda depth, rng: Candidate(depth, rng, gives_in=True),
}


def drilled(candidate: Candidate, rng: random.Random) -> Drill:
    """Return the drill on a whole question with this candidate."""
    drill, move = Drill(LADDER.id), Move(MoveKind.NEXT, LADDER.prompt)
    for _ in range(ANSWERS_MAX + 1):
        text, assessment = candidate.reply(move)
        drill = apply_assessment(LADDER, drill, move, text, assessment)
        context = DecisionContext(ERROR_RATE, rng.random() < 0.2, needs_checks=True, seed=1)
        decision = decide(LADDER, drill, move, context)
        drill = decision.drill
        if decision.move is None:
            return drill
        move = decision.move
    pytest.fail("the drill does not end")


@pytest.mark.recorded(subject_of=code_alone)
@pytest.mark.parametrize("kind", KINDS)
def test_the_reported_depth_is_within_one_rung_of_what_the_candidate_knows(kind: str) -> None:
    rng = random.Random(f"20261123 {kind}")
    off: Counter[int] = Counter()
    for _ in range(RUNS):
        candidate = KINDS[kind](rng.randint(0, RUNGS), rng)
        drill = drilled(candidate, rng)
        depth = reported_depth(LADDER, drill, ERROR_RATE)
        reported = 0.0 if depth is None else depth.mean
        off[round(reported) - candidate.depth] += 1
    within = sum(count for by, count in off.items() if abs(by) <= 1) / RUNS
    assert within >= WITHIN_ONE_RUNG, sorted(off.items())


@pytest.mark.recorded(subject_of=code_alone)
@pytest.mark.parametrize("kind", KINDS)
def test_where_it_broke_was_asked_and_is_not_what_held(kind: str) -> None:
    rng = random.Random(f"7 {kind}")
    for _ in range(200):
        drill = drilled(KINDS[kind](rng.randint(0, RUNGS), rng), rng)
        if drill.broke_at is not None:
            assert drill.broke_at in {answer.rung for answer in drill.answers}
            depth = reported_depth(LADDER, drill, ERROR_RATE)
            assert depth is None or depth.high < drill.broke_at
