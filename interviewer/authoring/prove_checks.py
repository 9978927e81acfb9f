"""Prove the checks of a question: right answers are accepted however they are spelled, wrong ones are refused."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from interviewer.examiner.check_answers import DIMENSIONS, spelled, verify, wrong_answers
from interviewer.examiner.matching.arithmetic import evaluate, numbers_in
from interviewer.session.assessment import CheckResult
from interviewer.session.question import Check, DrawnCheck, Question

_DRAWS = 12
_VALUES_MIN = 3
_WRONG_MIN = 2
_COMBINATIONS_MAX = 400
_ASK_CHARACTERS_MAX = 420


def find_check_problems(question: Question) -> Iterator[str]:
    """Yield what is wrong with the checks of a question, and the rungs that have none."""
    for rung in range(1, len(question.rungs) + 1):
        if not question.checks_of(rung):
            yield f"rung[{rung - 1}]: no [[check]] with rung = {rung}; add one whose answer code can verify"
    for index, check in enumerate(question.checks):
        for problem in _problems(check):
            yield f"check[{index}] (rung {check.rung}): {problem}"


def _problems(check: Check) -> Iterator[str]:
    if len(check.ask) > _ASK_CHARACTERS_MAX:
        yield f"ask: {len(check.ask)} characters; a candidate hears it once, so use at most {_ASK_CHARACTERS_MAX}"
    if not check.order and len(check.wrong) < _WRONG_MIN and not (check.holds and check.accepts):
        yield f"wrong: expected at least {_WRONG_MIN} results that people often state, got {len(check.wrong)}"
    if unknown := {given.name for given in check.given if f"{{{given.name}}}" not in _texts(check)}:
        yield f"given: {', '.join(sorted(unknown))} is used in no text; write {{name}} where the value belongs"
    try:
        draws = [check.draw(str(seed)) for seed in range(_DRAWS)]
        if check.number:
            yield from _number_problems(check)
        # The first problem is enough: the others are mostly the same with other inputs.
        yield from itertools.islice((problem for drawn in draws for problem in _draw_problems(drawn)), 1)
    except ValueError as error:
        yield f"{error}"


def _texts(check: Check) -> str:
    return "\n".join((check.ask, check.holds, *check.order, *(claim.says for claim in check.fails)))


def _number_problems(check: Check) -> Iterator[str]:
    values = [given.values for given in check.given]
    combinations = itertools.islice(itertools.product(*values), _COMBINATIONS_MAX)
    names = [given.name for given in check.given]
    results = {round(evaluate(check.number, dict(zip(names, drawn, strict=True))), 9) for drawn in combinations}
    if len(results) < _VALUES_MIN and not check.holds:
        yield (
            f"given: the inputs lead to {len(results)} results; give at least {_VALUES_MIN}, so that another session"
            " cannot repeat this one's number"
        )
    if check.unit and not any(check.unit.lower() in units for units in DIMENSIONS) and not check.unit.isalpha():
        yield f"unit: {check.unit!r} is neither a unit that is known nor one word"


def _draw_problems(drawn: DrawnCheck) -> Iterator[str]:
    check, where = drawn.check, f"with {dict(drawn.values)}" if drawn.values else "as drawn"
    for answer in spelled(drawn):
        if (result := verify(drawn, answer)) is not CheckResult.RIGHT:
            yield f"the right answer {answer!r} is {result.value} {where}; reword what is accepted"
            return
    for answer in wrong_answers(drawn):
        if verify(drawn, answer) is CheckResult.RIGHT:
            yield f"the wrong answer {answer!r} is accepted {where}; choose other inputs or terms"
            return
    if not check.order and verify(drawn, drawn.text) is CheckResult.RIGHT and not check.holds:
        yield f"the question's own text answers it {where}; reword the question"
        return
    if check.number and evaluate(check.number, drawn.values) in numbers_in(drawn.text):
        yield f"the question's own text states the number that is asked for {where}"
        return
    shown = drawn.text.lower()
    for term in check.accepts:
        if re.search(rf"(?<!\w){re.escape(term.lower())}(?!\w)", shown):
            yield f"accepts: {term!r} stands in the question's own text"
            return
