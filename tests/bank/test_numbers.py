"""Each number in a rung's answer or in a point has an origin: it is computed here, given, assumed or sourced by name.

`numbers/<question>.toml` lists, for each rung and each point, what is `computed` ("as written" = "expression"), what is
`sourced` ("as written" = "where it stands") and what is `assumed` ("as written" = "what it stands for": the text's own
example, a setting, a name or a count of things in the same sentence). A number in an answer needs no entry if the
question has given it by then, nor does a number in a point that occurs in the prompt, a rung's question or an answer. A
rounded value is a different number and needs an entry. Quantities in words ("half", "a third more", "ten times") need
entries as well; a computed one may differ by 15 %.

A `computed` expression may use a literal only if a reader has seen it by then (in the prompt, or in the questions and
answers of this and earlier rungs; for a point, of all rungs), or if it is part of a formula or a unit. Every other
input is listed as `given` (name = value) and used by name. An expression needs at least one input: a number of the
text or a `given` that is not already the number itself. The gate changes each input by 10 % and by a factor of 2. If
the number as written is the same every time, the text must not depend on that input, and `invariant` ("as written" =
[inputs]) says so.
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
from tests.bank.hidden_inputs import CONSTANTS, has_input, hidden, numbers_shown, repeats, without_effect
from tests.bank.hidden_inputs import names as names_in
from tests.bank.worded import measures_in

pytestmark = pytest.mark.content

FOLDER = Path(__file__).with_name("numbers")
ABOUT_INPUTS = ("given", "invariant")
KINDS = ("computed", "sourced", "assumed")
WORDS_MIN = {"sourced": 2, "assumed": 4}
EXACT = 1e-9  # a number that is written as 0 is exactly 0
HALF = 0.5001  # of the last digit as written, with room for rounding errors
IN_WORDS = 0.15  # of a quantity in words, which nobody reads as an exact value


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


def quantities_in(text: str) -> list[float]:
    """Return the numbers in digits and the quantities in words."""
    return [*numbers_in(text), *measures_in(text)]


def tolerance(written: str) -> float:
    """Return how far a value may be from the quantity as written."""
    if not numbers_in(written):
        return IN_WORDS * measures_in(written)[0]
    return HALF * last_digit(written) if numbers_in(written)[0] else EXACT


def complaints(name: str) -> list[str]:
    """Return one line for each number without an origin, and for each entry that is wrong."""
    question, on_file = questions()[name], origins(name)
    text = question.prompt
    problems = []
    for place, rung in enumerate(question.rungs, 1):
        text = f"{text}\n{rung.ask}"
        entries = on_file.pop(f"rung {place}", {})
        problems += [f"rung {place}: {line}" for line in statement_complaints(rung.answer, entries, text)]
        text = f"{text}\n{rung.answer}"
    for point in question.points:
        entries = on_file.pop(f"point {point.id}", {})
        problems += [f"point {point.id}: {line}" for line in statement_complaints(point.says, entries, text)]
    return problems + [f"{key}: no such rung or point" for key in on_file]


def statement_complaints(says: str, entries: Mapping[str, Any], before: str) -> list[str]:
    """Return one line for each number of a statement without an origin, and for each of its entries that is wrong.

    `before` is everything that the reader has seen before this statement.
    """
    problems = [f"unknown key {key}" for key in entries if key not in (*KINDS, *ABOUT_INPUTS)]
    problems += input_complaints(entries, before, says)
    written = [number for kind in KINDS for number in entries.get(kind, {})]
    problems += [f"{number!r} is not in the text" for number in written if number not in says]
    problems += [f"{number!r} must hold one number" for number in written if len(quantities_in(number)) != 1]
    values = {**CONSTANTS, **entries.get("given", {})}
    for number, expression in entries.get("computed", {}).items():
        problems += _not_so(repr(number), number, expression, values)
    for kind, words_min in WORDS_MIN.items():
        short = [number for number, why in entries.get(kind, {}).items() if len(why.split()) < words_min]
        problems += [f"{number!r} is {kind}, but not said from where" for number in short]
    for kind, find in (("", numbers_in), (" in words", measures_in)):
        known = set(find(before)).union(*(find(text) for text in written))
        problems += [f"{number:g}{kind} has no origin" for number in find(says) if number not in known]
    return problems


def input_complaints(entries: Mapping[str, Any], before: str, answer: str) -> list[str]:
    """Return one line for each hidden literal, each unlisted input without effect, and each unused entry.

    `before` is everything that the reader has seen before this answer or point.
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
        if not has_input(expression, given, shown):
            problems.append(f"{number!r} is computed from nothing: use a number of the text, or name an input in given")
        if len(quantities_in(number)) == 1:
            stated = quantities_in(number)[0]
            if repeats(expression, given, stated):
                problems.append(f"{number!r} only repeats a given: say where it is from in sourced or assumed")
            idle = without_effect(expression, given, stated, tolerance(number))
            if sorted(idle) != sorted(invariant.get(number, [])):
                problems.append(f"{number!r} is the same whatever {', '.join(idle) or 'nothing'} is; see invariant")
    used = set().union(*(names_in(expression) for expression in computed.values()))
    problems += [f"given {name} is not used" for name in given if name not in used]
    return problems + [f"invariant {number!r} is not computed" for number in invariant if number not in computed]


def _not_so(where: str, written: str, expression: str, values: Mapping[str, float]) -> list[str]:
    """Return a complaint if the expression does not give the number, to the last written digit."""
    if len(quantities_in(written)) != 1:
        return []
    value = evaluate(expression, values)
    is_near = abs(value - quantities_in(written)[0]) <= tolerance(written)
    return [] if is_near else [f"{where}: {expression} is {value:.10g}"]


@pytest.mark.parametrize("name", names())
def test_every_number_of_an_answer_or_a_point_has_an_origin(name: str) -> None:
    assert complaints(name) == []


@pytest.mark.parametrize(
    ("says", "entries", "complaint"),
    [
        ("512 of 1,024 are drawn.", {}, ""),
        ("About 638 are drawn for 512.", {}, "638 has no origin"),
        ("About 1,000 are drawn.", {"computed": {"1,000": "1024 - 24"}}, "uses 24"),
        ("About 1,000 are drawn.", {"computed": {"1,000": "round(1024, -3)"}}, ""),
        ("About 1,100 are drawn.", {"computed": {"1,100": "round(1024, -3)"}}, "is 1000"),
        ("About 1,100 are drawn.", {"assumed": {"1,100": "a size"}}, "not said from where"),
        ("About 1,100 are drawn.", {"assumed": {"1,100": "the sentence's own example"}}, ""),
        ("Half are drawn.", {}, "0.5 in words has no origin"),
        ("Half are drawn.", {"computed": {"Half": "512 / 1024"}}, ""),
        ("A third are drawn.", {"computed": {"A third": "512 / 1024"}}, "is 0.5"),
        ("Two thirds of 512 are drawn.", {"computed": {"Two thirds of": "2 / 3"}}, "computed from nothing"),
    ],
)
def test_a_number_that_is_not_in_the_question_needs_an_entry_that_gives_it(
    says: str, entries: dict[str, Any], complaint: str
) -> None:
    found = statement_complaints(says, entries, "Of 1,024 prompts, 512 are used.")
    assert complaint in "\n".join(found) if complaint else found == []
