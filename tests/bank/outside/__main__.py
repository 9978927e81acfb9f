"""Print how well the offline examiner hears the answers from outside: the half held back, the other, and each kind."""

from __future__ import annotations

import sys

from interviewer.bank.load import load_questions
from interviewer.examiner.checking_examiner import CheckedExaminer
from interviewer.examiner.offline import OfflineExaminer
from interviewer.session.assessment import State
from tests.bank.outside import KINDS, OutsideAnswer, compare, load_outside


def main() -> None:
    """Judge all answers and print the figures."""
    questions = {question.id: question for question in load_questions()}
    examiner = CheckedExaminer(OfflineExaminer())
    judged: list[tuple[OutsideAnswer, dict[str, State]]] = []
    for answer in load_outside(questions):
        question = questions[answer.question]
        found = examiner.assess(question, question.prompt, answer.text)
        states = {point.id: found.state_of(point.id) for point in question.points}
        judged.append((answer, states))
    for name, is_held_back in (("held back", True), ("open", False)):
        sys.stdout.write(f"{name}: {compare(pair for pair in judged if pair[0].is_held_back is is_held_back)}\n")
    for kind in KINDS:
        sys.stdout.write(f"{kind}: {compare(pair for pair in judged if pair[0].kind == kind)}\n")


if __name__ == "__main__":
    main()
