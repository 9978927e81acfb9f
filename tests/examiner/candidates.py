"""Candidates of many kinds, who answer every question based on what they know or pretend to know."""

from __future__ import annotations

import random
from collections.abc import Callable

from interviewer.examiner.check_answers import spelled
from interviewer.examiner.gold import GoldAnswer
from interviewer.session.move import Move, MoveKind
from interviewer.session.question import Question

Candidate = Callable[[Question, Move, int], str]
SEED = 3
HALF = 2
BLUFF = (
    "Great question, that is really a matter of trade-offs, and in my experience one has to look at the whole system,"
    " choose the right abstraction, and iterate quickly with solid baselines and careful monitoring."
)
GERMAN = (
    "Das hängt davon ab, wie weit sich die neue Verteilung von der alten entfernt hat, und man schneidet das ab,"
    " damit ein einzelner Schritt nicht zu groß wird."
)


def candidates(gold: dict[tuple[str, str], GoldAnswer]) -> dict[str, Candidate]:
    """Return the candidates by name. `gold` is keyed by question and kind."""
    chance = random.Random(7)

    def gold_answer(kind: str) -> Candidate:
        return lambda question, move, turn: gold[question.id, kind].text

    def answer_check(question: Question, move: Move) -> str:
        return spelled(question.drawn_check(move.target, SEED))[0]

    def excellent(question: Question, move: Move, turn: int) -> str:
        if move.kind is MoveKind.CHECK:
            return answer_check(question, move)
        return gold[question.id, "excellent"].text if move.rung == 0 else question.rungs[move.rung - 1].answer

    def weak(question: Question, move: Move, turn: int) -> str:
        return gold[question.id, "thin"].text if move.rung == 0 else "I think it gets more stable, but I am not sure."

    def knows_half(question: Question, move: Move, turn: int) -> str:
        if move.kind is MoveKind.CHECK and move.rung <= HALF:
            return answer_check(question, move)
        return gold[question.id, "partial"].text

    def copying(question: Question, move: Move, turn: int) -> str:
        return move.words if move.words.startswith("Complete the sentence") else "I don't know."

    def gibberish(question: Question, move: Move, turn: int) -> str:
        return "".join(chance.choice("abcdefgh ijklmnop qrstuvwxyz.,!?") for _ in range(120))

    def stubborn(question: Question, move: Move, turn: int) -> str:
        return gold[question.id, "wrong"].text.split(".")[turn % 3] + "."

    return {
        "excellent": excellent,
        "weak": weak,
        "knows_half": knows_half,
        "silent": lambda question, move, turn: "",
        "does_not_know": lambda question, move, turn: "I don't know.",
        "copying_the_help": copying,
        "gibberish": gibberish,
        "repeating": lambda question, move, turn: move.words,
        "bluffing": lambda question, move, turn: BLUFF,
        "injecting": gold_answer("injection"),
        "confidently_wrong": gold_answer("wrong"),
        "stubborn": stubborn,
        "another_language": lambda question, move, turn: GERMAN,
        "pasting": lambda question, move, turn: "def f(x):\n    return x  # clipped ratio, advantage, reward\n" * 400,
        "asking_back": lambda question, move, turn: "What do you mean by that?",
    }
