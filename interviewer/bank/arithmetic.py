"""Evaluates a question's arithmetic expressions and finds numbers in text. Other code is never evaluated."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

_OPERATIONS: dict[type[ast.AST], Callable[..., float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
}
_FUNCTIONS: dict[str, Callable[..., float]] = {
    "abs": abs,
    "ceil": math.ceil,
    "comb": lambda count, chosen: math.comb(_whole(count), _whole(chosen)),
    "exp": math.exp,
    "floor": math.floor,
    "log": math.log,
    "log2": math.log2,
    "max": max,
    "min": min,
    "perm": lambda count, chosen: math.perm(_whole(count), _whole(chosen)),
    "round": round,
    "sqrt": math.sqrt,
}


def _whole(value: float) -> int:
    if value != int(value):
        raise ValueError(f"{value} is not a whole number")
    return int(value)


# Matches 1,234.5 or 1.5e9; a hyphen is a sign only if no word or number precedes it.
NUMBER = re.compile(
    r"(?<![\w.])(?:(?<![\w)\]])[-−])?\d+(?:[,\u202f]\d{3}(?!\d))*(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE
)


def evaluate(expression: str, values: Mapping[str, float] = MappingProxyType({})) -> float:
    """Return the value of an arithmetic expression; names in it are looked up in `values`.

    Raises ValueError if a part of the expression is not arithmetic or has no value; the message names the part.
    """
    try:
        return float(_value(ast.parse(expression, mode="eval").body, values))
    except (SyntaxError, ArithmeticError, TypeError) as error:
        raise ValueError(f"{expression!r}: {error}") from None


def _value(node: ast.AST, values: Mapping[str, float]) -> float:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value  # type: ignore[return-value]
    if isinstance(node, ast.Name) and node.id in values:
        return values[node.id]
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        return _OPERATIONS[type(node.op)](_value(node.left, values), _value(node.right, values))
    if isinstance(node, ast.UnaryOp) and type(node.op) in _OPERATIONS:
        return _OPERATIONS[type(node.op)](_value(node.operand, values))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS:
        return _FUNCTIONS[node.func.id](*(_value(argument, values) for argument in node.args))
    raise ValueError(f"{ast.unparse(node)!r} is not arithmetic; known functions: {', '.join(_FUNCTIONS)}")


def numbers_in(text: str) -> list[float]:
    """Return the numbers in a text, in order; a percentage is returned as written (5% as 5)."""
    return [float(re.sub(r"[,\u202f]", "", written).replace("−", "-")) for written in NUMBER.findall(text)]


def contains_number(text: str, value: float, within: float) -> bool:
    """Return whether any number in the text equals `value` within the relative tolerance `within`."""
    return any(is_near(number, value, within) for number in numbers_in(text))


def is_near(number: float, value: float, within: float) -> bool:
    """Return whether a number equals `value` within the relative tolerance `within`."""
    return abs(number - value) <= within * abs(value) + 1e-12
