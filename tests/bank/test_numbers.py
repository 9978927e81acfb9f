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

from interviewer.bank.load import QUESTIONS, read_questions
from interviewer.examiner.matching.arithmetic import NUMBER, evaluate, numbers_in
from interviewer.session.question import Question

FOLDER = Path(__file__).with_name("numbers")
KINDS = ("computed", "sourced", "assumed")
WORDS_MIN = 2


@cache
def questions() -> dict[str, Question]:
    return {one.id: one for one in read_questions(QUESTIONS)[0]}


def names() -> list[str]:
    return sorted(path.stem for path in QUESTIONS.glob("*/*.toml"))


def origins(name: str) -> dict[str, Any]:
    """Return what is on file for a question: "rung 1" to "rung 5", each with its kinds."""
    path = FOLDER / f"{name}.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}


def last_digit(written: str) -> float:
    """Return what one step of the last digit of the number in the text is worth: 0.01 for 1.88, 1000 for 57e3."""
    found = NUMBER.search(written)
    assert found is not None
    digits, _, power = found.group().lower().partition("e")
    return float(10.0 ** (int(power or 0) - len(digits.partition(".")[2])))


def complaints(name: str) -> list[str]:
    """Return one line for each number without an origin, and for each entry that does not hold."""
    question, on_file = questions()[name], origins(name)
    given = set(numbers_in(question.prompt))
    found = []
    for place, rung in enumerate(question.rungs, 1):
        given.update(numbers_in(rung.ask))
        entries = on_file.pop(f"rung {place}", {})
        found += [f"rung {place}: unknown key {key}" for key in entries if key not in KINDS]
        written = [one for kind in KINDS for one in entries.get(kind, {})]
        found += [f"rung {place}: {one!r} is not in the answer" for one in written if one not in rung.answer]
        found += [f"rung {place}: {one!r} holds no number" for one in written if len(numbers_in(one)) != 1]
        for one, expression in entries.get("computed", {}).items():
            found += _not_so(f"rung {place}: {one!r}", one, expression)
        for kind in KINDS[1:]:
            short = [one for one, why in entries.get(kind, {}).items() if len(why.split()) < WORDS_MIN]
            found += [f"rung {place}: {one!r} is {kind}, but not said from where" for one in short]
        known = given.union(*(numbers_in(one) for one in written))
        found += [f"rung {place}: {one:g} has no origin" for one in numbers_in(rung.answer) if one not in known]
        given.update(numbers_in(rung.answer))
    return found + [f"{key}: no such rung" for key in on_file]


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
