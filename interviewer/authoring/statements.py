"""Tests each rubric point against stored statements, and measures how well the offline examiner matches the statements.

<question>.toml has a table for each point, with one statement of each kind:
- `right` must earn the point
- `foreign` makes the point without using the point's own words; it must earn the point
- `wrong` is a false statement that uses words from the point; it must not earn the point
- `denied` negates the point, so it must not earn the point
- `unseen` is a correct statement, and `unseen_wrong`, which only some points have, is a false statement. Authors must
  not read these two while they write phrasings, because these two measure how well the phrasings generalize

The table `more` lists additional statements by kind.

The statements of a point without phrasings are used only to train and measure the learned matcher; they are not judged
here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interviewer.bank.fields import read_toml
from interviewer.bank.load import QUESTIONS, load_question
from interviewer.examiner.matching.overlap import stems
from interviewer.examiner.offline import OfflineExaminer
from interviewer.session.assessment import State
from interviewer.session.question import Point, Question

# This folder exists only in a checkout, because the installed package contains no tests.
STATEMENTS = Path(__file__).parents[2] / "tests" / "bank" / "points"
UNSEEN, UNSEEN_WRONG, MORE = "unseen", "unseen_wrong", "more"
KINDS = ("right", "foreign", UNSEEN, "wrong", "denied")
AGAINST = ("wrong", "denied", UNSEEN_WRONG)
_WORDS_OF_THE_POINT = 2


@dataclass(frozen=True)
class StatementResult:
    """The examiner's judgment of one statement."""

    question: str
    point: str
    kind: str
    text: str
    state: State

    @property
    def is_misjudged(self) -> bool:
        """Return whether the examiner missed a statement that earns the point, or credited one that does not."""
        return (self.state is State.SHOWN) is (self.kind in AGAINST)


def run_statements(questions: Sequence[Question], folder: Path = STATEMENTS) -> list[StatementResult]:
    """Return how phrase matching judges each statement as a reply to the question's prompt.

    Statements about points without phrasings are left out.
    """
    examiner = OfflineExaminer()
    return [
        StatementResult(
            question.id, point, kind, text, examiner.assess(question, question.prompt, text).state_of(point)
        )
        for question in questions
        for point, kind, text in _statements(question, folder)
    ]


def find_problems(
    questions: Sequence[Question], tried: Sequence[StatementResult], folder: Path = STATEMENTS
) -> list[str]:
    """Return a line for each missing or misjudged statement.

    Misjudged `unseen` and `unseen_wrong` statements are left out.
    """
    lacking = [f"{question.id}.toml: {line}" for question in questions for line in _lacks(question, folder)]
    return lacking + [
        f"{result.question} point '{result.point}': {result.kind} is judged {result.state.value}: {result.text!r}"
        for result in tried
        if result.is_misjudged and result.kind not in (UNSEEN, UNSEEN_WRONG)
    ]


def summary(tried: Sequence[StatementResult]) -> str:
    """Return a one-line summary of the results on unseen statements."""
    shown, partly = _share(tried, UNSEEN, State.SHOWN), _share(tried, UNSEEN, State.PARTIAL)
    credited = _share(tried, UNSEEN_WRONG, State.SHOWN)
    return (
        f"held-out right statements: {shown} credited, {partly} partly; held-out wrong statements: {credited} credited"
    )


def _share(tried: Sequence[StatementResult], kind: str, state: State) -> str:
    states = [result.state for result in tried if result.kind == kind]
    return f"{states.count(state) / len(states):.0%} of {len(states)}" if states else "none"


def _statements(question: Question, folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the point, the kind and the text of each statement."""
    known = {point.id for point in question.points if point.shows}
    for point, table in read_toml(folder / f"{question.id}.toml")[0].items():
        if point in known and _is_whole(table):
            yield from ((point, kind, text) for kind, text in table.items() if kind != MORE)
            yield from ((point, kind, text) for kind, texts in table.get(MORE, {}).items() for text in texts)


def _is_whole(table: dict[str, Any]) -> bool:
    further = table.get(MORE, {})
    return set(table) - {UNSEEN_WRONG, MORE} == set(KINDS) and set(further) <= {*KINDS, UNSEEN_WRONG}


def _lacks(question: Question, folder: Path) -> Iterator[str]:
    tables, problems = read_toml(folder / f"{question.id}.toml")
    yield from problems
    if problems:
        return
    for name in sorted(set(tables) - {point.id for point in question.points}):
        yield f"[{name}] is not one of the question's points"
    asked = stems(question.prompt)
    for point in question.points:
        table = tables.get(point.id, {})
        if not _is_whole(table):
            yield f"[{point.id}] expected {', '.join(KINDS)}; got {', '.join(table) or 'nothing'}"
        else:
            yield from _misfits(point, table, asked)


def _misfits(point: Point, table: dict[str, Any], asked: frozenset[str]) -> Iterator[str]:
    own = stems(point.says)
    shared = (own - asked) & stems(table["foreign"])
    if shared:
        yield f"[{point.id}] the statement `foreign` contains words from the point: {', '.join(sorted(shared))}"
    for kind in ("wrong", "denied"):
        if len(own & stems(table[kind])) < _WORDS_OF_THE_POINT:
            yield f"[{point.id}] the statement `{kind}` contains too few words from the point to be tested"


def main(names: Sequence[str]) -> int:
    """Print the problems with the statements of these questions, or of all questions; return the exit code."""
    questions = [load_question(path) for path in sorted(QUESTIONS.glob("*/*.toml")) if not names or path.stem in names]
    tried = run_statements(questions)
    problems = find_problems(questions, tried)
    sys.stdout.write("\n".join([*problems, f"statements: {len(problems)} complaints; {summary(tried)}"]) + "\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
