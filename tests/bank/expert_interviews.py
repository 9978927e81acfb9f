"""Offline drills with the experts' blind answers: how many points are credited, and which depth they reach.

The experts in `experts/` wrote one answer for each rung and saw only the questions. Here, each question is drilled to
its end: an open question gets the expert's answer for its rung, a check gets its right answer, and when an answer is
doubted, the candidate stands by it. Nothing is ever tuned on these answers. `python -m tests.bank.expert_interviews`
prints the figures. `--phrasings` leaves the matcher out. `--no-checks` answers each check with "I don't know.", like a
candidate who cannot work out the result.
"""

from __future__ import annotations

import statistics
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from interviewer.bank.load import load_questions
from interviewer.examiner.check_answers import assess_check, spelled
from interviewer.examiner.checking_examiner import CheckedExaminer
from interviewer.examiner.examiner import Examiner
from interviewer.examiner.matching.learned import LOAD_SECONDS, shared_matcher
from interviewer.examiner.offline import OfflineExaminer
from interviewer.session.move import Move, MoveKind
from interviewer.session.policy import ANSWERS_MAX, DecisionContext, decide
from interviewer.session.question import Question
from interviewer.session.scoring import apply_assessment, reported_depth
from interviewer.session.state import Drill
from tests.bank.outside import share

FOLDER = Path(__file__).parent / "experts"
SEED = 20261123
STANDS_BY_IT = "Yes, I stand by that."
DOES_NOT_KNOW = "I don't know."


@dataclass(frozen=True)
class Drilled:
    """The end of one drill: the reported depth in rungs, and the points that were credited at least in part."""

    depth: float
    heard: frozenset[str]
    moves: Counter[MoveKind]


def expert_answers(question_id: str) -> dict[int, str]:
    """Return the expert's answer for each rung; 0 is the opening question."""
    table = tomllib.loads((FOLDER / f"{question_id}.toml").read_text(encoding="utf-8"))
    return {rung["number"]: rung["answer"].strip() for rung in table["rung"]}


def drill_expert(
    question: Question, answers: Mapping[int, str], examiner: Examiner, *, knows_checks: bool = True
) -> Drilled:
    """Drill one question to its end with an expert's answers."""
    drill, move, moves = Drill(question.id), Move(MoveKind.NEXT, question.prompt), Counter[MoveKind]()
    rung_of = {point: number for number, rung in enumerate(question.rungs, 1) for point in rung.points}
    for _ in range(ANSWERS_MAX + 1):
        moves[move.kind] += 1
        if move.kind is MoveKind.CHECK:
            drawn = question.drawn_check(move.target, SEED)
            text = spelled(drawn)[0] if knows_checks else DOES_NOT_KNOW
            assessment = assess_check(examiner.assess(question, move.words, text), drawn, text)
        else:
            text = STANDS_BY_IT if move.kind is MoveKind.DOUBT else answers[rung_of.get(move.target, move.rung)]
            assessment = examiner.assess(question, move.words, text)
        drill = apply_assessment(question, drill, move, text, assessment)
        decision = decide(question, drill, move, DecisionContext(needs_checks=True, seed=SEED))
        drill = decision.drill
        if decision.move is None:
            break
        move = decision.move
    depth = reported_depth(question, drill)
    heard = frozenset(point.id for point in question.points if drill.is_credited(point.id))
    return Drilled(depth.mean if depth else 0.0, heard, moves)


def main(arguments: list[str]) -> None:
    """Print the figures."""
    matcher = None if "--phrasings" in arguments else shared_matcher()
    if matcher is not None:
        matcher.wait(LOAD_SECONDS)
    examiner = CheckedExaminer(OfflineExaminer(matcher))
    depths, heard, points, moves = [], 0, 0, Counter[MoveKind]()
    for question in load_questions():
        drilled = drill_expert(
            question, expert_answers(question.id), examiner, knows_checks="--no-checks" not in arguments
        )
        depths.append(drilled.depth)
        heard += len(drilled.heard)
        points += len(question.points)
        moves += drilled.moves
    deep = sum(depth >= 4 for depth in depths)
    sys.stdout.write(
        f"{len(depths)} drills: mean depth {statistics.mean(depths):.1f} of 5; {share(deep, len(depths))} reach 4;"
        f" {share(heard, points)} of all points are credited\n"
        f"{', '.join(f'{kind.value} {count}' for kind, count in moves.most_common())}\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
