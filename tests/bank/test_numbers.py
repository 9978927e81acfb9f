"""Every number that a rung's answer states has an origin: it is computed here, or given, assumed or sourced by name.

`numbers/<question>.toml` says of each rung what is `computed` ("as written" = "expression"), what is `sourced` ("as
written" = "where it stands") and what is `assumed` ("as written" = "what it stands for": the answer's own example, a
setting, a name or a count of things in the same sentence). What the question itself gave by then needs no entry.

A `computed` expression may use a literal only if a reader sees it by then (in the prompt, or in the questions and
answers of this and earlier rungs), or if it is part of a formula or a unit. Every other input is listed as
`given` (name = value) and used by name. The gate changes each input by 10 % and by a factor of 2. If the number as
written is the same every time, the answer must not depend on that input, and `invariant` ("as written" = [inputs])
says so.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from interviewer.bank.arithmetic import NUMBER, evaluate, numbers_in
from interviewer.bank.load import QUESTIONS, read_questions
from interviewer.session.question import Question
from tests.bank.hidden_inputs import CONSTANTS, hidden, numbers_shown, without_effect
from tests.bank.hidden_inputs import names as names_in

pytestmark = pytest.mark.content

FOLDER = Path(__file__).with_name("numbers")
ABOUT_INPUTS = ("given", "invariant")
KINDS = ("computed", "sourced", "assumed")
WORDS_MIN = 2
EXACT = 1e-9  # a number that is written as 0 is exactly 0
HALF = 0.5001  # of the last digit as written, with room for rounding errors


@cache
def questions() -> dict[str, Question]:
    return {question.id: question for question in read_questions(QUESTIONS)[0]}


def names() -> list[str]:
    return sorted(path.stem for path in QUESTIONS.glob("*/*.toml"))


def origins(name: str) -> dict[str, Any]:
    """Return what is stored for a question: "rung 1" to "rung 5", each with its kinds."""
    path = FOLDER / f"{name}.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}


def last_digit(written: str) -> float:
    """Return the value of one unit in the last digit of the number as written: 0.01 for 1.88, 1000 for 57e3."""
    match = NUMBER.search(written)
    assert match is not None
    digits, _, power = match.group().lower().partition("e")
    return float(10.0 ** (int(power or 0) - len(digits.partition(".")[2])))


def complaints(name: str) -> list[str]:
    """Return one line for each number without an origin, and for each entry that does not hold."""
    question, on_file = questions()[name], origins(name)
    given = set(numbers_in(question.prompt))
    problems = []
    text = question.prompt
    for place, rung in enumerate(question.rungs, 1):
        given.update(numbers_in(rung.ask))
        entries = on_file.pop(f"rung {place}", {})
        problems += [f"rung {place}: unknown key {key}" for key in entries if key not in (*KINDS, *ABOUT_INPUTS)]
        text = f"{text}\n{rung.ask}"
        problems += [f"rung {place}: {line}" for line in input_complaints(entries, text, rung.answer)]
        text = f"{text}\n{rung.answer}"
        written = [number for kind in KINDS for number in entries.get(kind, {})]
        problems += [
            f"rung {place}: {number!r} is not in the answer" for number in written if number not in rung.answer
        ]
        problems += [f"rung {place}: {number!r} holds no number" for number in written if len(numbers_in(number)) != 1]
        values = {**CONSTANTS, **entries.get("given", {})}
        for number, expression in entries.get("computed", {}).items():
            problems += _not_so(f"rung {place}: {number!r}", number, expression, values)
        for kind in KINDS[1:]:
            short = [number for number, why in entries.get(kind, {}).items() if len(why.split()) < WORDS_MIN]
            problems += [f"rung {place}: {number!r} is {kind}, but not said from where" for number in short]
        known = given.union(*(numbers_in(text) for text in written))
        problems += [
            f"rung {place}: {number:g} has no origin" for number in numbers_in(rung.answer) if number not in known
        ]
        given.update(numbers_in(rung.answer))
    return problems + [f"{key}: no such rung" for key in on_file]


def input_complaints(entries: Mapping[str, Any], before: str, answer: str) -> list[str]:
    """Return one line for each hidden literal, each unlisted input without effect, and each unused entry.

    `before` is everything that the reader has seen before this answer.
    """
    given, computed, invariant = (entries.get(key, {}) for key in ("given", "computed", "invariant"))
    problems = []
    for number, expression in computed.items():
        # The number itself is no evidence for its own inputs.
        shown = numbers_shown(before) | numbers_shown(answer.replace(number, " ", 1))
        problems += [
            f"{number!r} uses {value:g}, which no reader sees: name it in given, or say it in the text"
            for value in hidden(expression, shown)
        ]
        if len(numbers_in(number)) == 1:
            tolerance = HALF * last_digit(number) if numbers_in(number)[0] else EXACT
            idle = without_effect(expression, given, numbers_in(number)[0], tolerance)
            if sorted(idle) != sorted(invariant.get(number, [])):
                problems.append(f"{number!r} is the same whatever {', '.join(idle) or 'nothing'} is; see invariant")
    used = set().union(*(names_in(expression) for expression in computed.values()))
    problems += [f"given {name} is not used" for name in given if name not in used]
    return problems + [f"invariant {number!r} is not computed" for number in invariant if number not in computed]


def _not_so(where: str, written: str, expression: str, values: Mapping[str, float]) -> list[str]:
    """Return a complaint if the expression does not give the number, to the last written digit."""
    if len(numbers_in(written)) != 1:
        return []
    stated, value = numbers_in(written)[0], evaluate(expression, values)
    is_near = abs(value - stated) <= HALF * last_digit(written)
    return [] if is_near else [f"{where}: {expression} is {value:.10g}"]


@pytest.mark.parametrize("name", names())
def test_every_number_of_an_answer_has_an_origin(name: str) -> None:
    assert complaints(name) == []
