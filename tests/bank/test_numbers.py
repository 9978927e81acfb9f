"""Every number that a rung's answer states has an origin: it is computed here, or given, assumed or sourced by name.

`numbers/<question>.toml` says of each rung what is `computed` ("as written" = "expression"), what is `sourced` ("as
written" = "where it stands") and what is `assumed` ("as written" = "what it stands for": the answer's own example, a
setting, a name or a count of things in the same sentence). What the question itself gave by then needs no entry.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from interviewer.bank.arithmetic import NUMBER, evaluate, numbers_in
from interviewer.bank.load import QUESTIONS, read_questions
from interviewer.session.question import Question

pytestmark = pytest.mark.content

FOLDER = Path(__file__).with_name("numbers")
KINDS = ("computed", "sourced", "assumed")
WORDS_MIN = 2


@cache
def questions() -> dict[str, Question]:
    return {question.id: question for question in read_questions(QUESTIONS)[0]}


def names() -> list[str]:
    return sorted(path.stem for path in QUESTIONS.glob("*/*.toml"))


def origins(name: str) -> dict[str, Any]:
    """Return what is on file for a question: "rung 1" to "rung 5", each with its kinds."""
    path = FOLDER / f"{name}.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}


def last_digit(written: str) -> float:
    """Return what one step of the last digit of the number in the text is worth: 0.01 for 1.88, 1000 for 57e3."""
    match = NUMBER.search(written)
    assert match is not None
    digits, _, power = match.group().lower().partition("e")
    return float(10.0 ** (int(power or 0) - len(digits.partition(".")[2])))


def complaints(name: str) -> list[str]:
    """Return one line for each number without an origin, and for each entry that does not hold."""
    question, on_file = questions()[name], origins(name)
    given = set(numbers_in(question.prompt))
    problems = []
    for place, rung in enumerate(question.rungs, 1):
        given.update(numbers_in(rung.ask))
        entries = on_file.pop(f"rung {place}", {})
        problems += [f"rung {place}: unknown key {key}" for key in entries if key not in KINDS]
        written = [number for kind in KINDS for number in entries.get(kind, {})]
        problems += [
            f"rung {place}: {number!r} is not in the answer" for number in written if number not in rung.answer
        ]
        problems += [f"rung {place}: {number!r} holds no number" for number in written if len(numbers_in(number)) != 1]
        for number, expression in entries.get("computed", {}).items():
            problems += _not_so(f"rung {place}: {number!r}", number, expression)
        for kind in KINDS[1:]:
            short = [number for number, why in entries.get(kind, {}).items() if len(why.split()) < WORDS_MIN]
            problems += [f"rung {place}: {number!r} is {kind}, but not said from where" for number in short]
        known = given.union(*(numbers_in(text) for text in written))
        problems += [
            f"rung {place}: {number:g} has no origin" for number in numbers_in(rung.answer) if number not in known
        ]
        given.update(numbers_in(rung.answer))
    return problems + [f"{key}: no such rung" for key in on_file]


def _not_so(where: str, written: str, expression: str) -> list[str]:
    """Return a complaint when the expression does not give the number, to the last digit that is written."""
    if len(numbers_in(written)) != 1:
        return []
    stated, value = numbers_in(written)[0], evaluate(expression)
    is_near = abs(value - stated) <= 0.5001 * last_digit(written)
    return [] if is_near else [f"{where}: {expression} is {value:.10g}"]


@pytest.mark.parametrize("name", names())
def test_every_number_of_an_answer_has_an_origin(name: str) -> None:
    assert complaints(name) == []
