"""Finds the inputs of an expression that a reader of the question cannot see, and the inputs without effect."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Iterator, Mapping

from interviewer.bank.arithmetic import evaluate

# Names that every expression may use. They are facts of mathematics or of units, so they are never varied.
CONSTANTS = {
    "pi": math.pi,
    "euler_gamma": 0.5772156649015329,
    "bits_per_byte": 8.0,
    "minutes_per_hour": 60.0,
}
FACTORS = (0.5, 0.9, 1.1, 2.0)
PLAIN = (0.0, 1.0, 100.0)
UNIT_MIN = 1000.0
_TOLERANCE = 1e-9

_DIGITS = re.compile(r"\d+(?:[,\u202f]\d{3}(?!\d))*(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)
_WORDS = {
    word: value
    for words, value in (
        ("two twice double doubles doubled both pair", 2),
        ("three third thirds triple", 3),
        ("four fourth quarter quarters", 4),
        ("five fifth fifths", 5),
        ("six sixth sixths", 6),
        ("seven seventh sevenths", 7),
        ("eight eighth eighths", 8),
        ("nine ninth ninths", 9),
        ("ten tenth tenths", 10),
        ("twelve twelfth dozen", 12),
        ("sixteen sixteenth", 16),
        ("twenty twentieth", 20),
        ("thirty", 30),
        ("forty", 40),
        ("fifty", 50),
        ("sixty", 60),
        ("eighty", 80),
        ("ninety", 90),
        ("half", 0.5),
        ("eleven", 11),
        ("thirteen", 13),
        ("fourteen", 14),
        ("fifteen", 15),
    )
    for word in words.split()
}
# A text may write the same number with a percent sign or with the prefix or suffix of a unit.
_SCALES = (0, 2, 3, 6, 9, 12, 15)


def is_plain(value: float) -> bool:
    """Return whether a literal is 0, 1, 100 (percent), or a power of 10 or 1024 that is at least 1000.

    Plain literals belong to a formula or a unit. 2, 10 and 0.1 are not plain: they can be bytes per value, a number of
    GPUs or a share.
    """
    if value in PLAIN:
        return True
    powers = (math.log(value, base) for base in (10, 1024)) if value >= UNIT_MIN else ()
    return any(abs(power - round(power)) < _TOLERANCE for power in powers)


def literals(expression: str) -> list[float]:
    """Return the literals of an expression, each value once.

    The digits argument of `round`, powers of 10, the exponent 2 and the base 2 of a power are left out.
    """
    tree = ast.parse(expression, mode="eval")
    return list(dict.fromkeys(value for _, value in _inputs(tree.body)))


def _inputs(node: ast.AST) -> Iterator[tuple[ast.AST, float]]:
    if isinstance(node, ast.Constant):
        if isinstance(node.value, (int, float)):
            yield node, float(node.value)
        return
    if isinstance(node, ast.Call):
        is_round = isinstance(node.func, ast.Name) and node.func.id == "round"
        parts: list[ast.AST] = [*(node.args[:1] if is_round else node.args)]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        is_unit = _is_number(node.left, 10)
        parts = [] if is_unit else [side for side in (node.left, node.right) if not _is_number(side, 2)]
    else:
        parts = [*ast.iter_child_nodes(node)]
    for part in parts:
        yield from _inputs(part)


def _is_number(node: ast.AST, value: float) -> bool:
    return isinstance(node, ast.Constant) and node.value == value


def names(expression: str) -> set[str]:
    """Return the names of inputs in an expression, without the names of functions."""
    tree = ast.parse(expression, mode="eval")
    functions = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in functions}


def numbers_shown(text: str) -> set[float]:
    """Return the numbers that a text shows as digits, including next to letters (32B, v3), or as words up to ninety."""
    shown = {float(re.sub(r"[,\u202f]", "", match)) for match in _DIGITS.findall(text)}
    return shown | {float(_WORDS[word]) for word in re.findall(r"[a-z]+", text.lower()) if word in _WORDS}


def hidden(expression: str, shown: Iterable[float]) -> list[float]:
    """Return the literals that are neither plain nor among the numbers shown, up to a factor of 100 or 1000^n."""
    numbers = list(shown)
    return [value for value in literals(expression) if not is_plain(value) and not _is_among(value, numbers)]


def has_input(expression: str, given: Iterable[str], shown: Iterable[float]) -> bool:
    """Return whether the expression uses an input from `given`, pi, Euler's gamma, or a number that the text shows.

    "2 ** 2" uses none of them: it gives 4 in any text.
    """
    numbers = set(shown)
    return bool(names(expression) & {*given, "pi", "euler_gamma"}) or any(
        value in numbers if is_plain(value) else _is_among(value, list(numbers)) for value in literals(expression)
    )


def repeats(expression: str, given: Mapping[str, float], stated: float) -> bool:
    """Return whether the only input of the expression is a given value that already is the number."""
    used = names(expression) & given.keys()
    only = given[used.pop()] if len(used) == 1 else None
    return only == stated and all(is_plain(value) for value in literals(expression))


def _is_among(value: float, numbers: list[float]) -> bool:
    return any(
        abs(value - number * 10.0 ** (sign * scale)) <= _TOLERANCE * abs(value)
        for number in numbers
        for scale in _SCALES
        for sign in (1, -1)
    )


def without_effect(expression: str, given: Mapping[str, float], stated: float, half_digit: float) -> list[str]:
    """Return the inputs for which a change of 10 % or by a factor of 2 never changes the number as written.

    `half_digit` is how far a value may be from `stated` and still be written in the same way.
    """
    inputs = {f"{value:g}": (value, None) for value in literals(expression) if not is_plain(value)}
    used = {name: (given[name], name) for name in sorted(names(expression) & given.keys())}
    return [
        label
        for label, (value, name) in {**inputs, **used}.items()
        if not any(
            _differs(expression, given, value, name, factor, stated, half_digit) for factor in FACTORS if value != 0
        )
    ]


def _differs(
    expression: str,
    given: Mapping[str, float],
    value: float,
    name: str | None,
    factor: float,
    stated: float,
    half_digit: float,
) -> bool:
    values = {**CONSTANTS, **given}
    if name is None:
        expression, name = _with_literal_named(expression, value), "_varied"
    values[name] = value * factor
    try:
        return abs(evaluate(expression, values) - stated) > half_digit
    except ValueError:  # comb(8.8, 2) is undefined, so only the other factors can show an effect
        return False


def _with_literal_named(expression: str, value: float) -> str:
    """Return the expression with each literal of this value replaced with the name `_varied`."""
    tree = ast.parse(expression, mode="eval")
    replaced = {id(node) for node, literal in _inputs(tree.body) if literal == value}

    class Naming(ast.NodeTransformer):
        def visit_Constant(self, node: ast.Constant) -> ast.expr:
            return ast.copy_location(ast.Name("_varied", ast.Load()), node) if id(node) in replaced else node

    return ast.unparse(Naming().visit(tree))
