"""Generates mutants of a reference: copies with one small error each, which the task's cases must catch.

A mutant is named after its line and change ("L12: min -> max"); a second mutant with the same name gets the
suffix " #2".
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

OPERATORS: dict[type[ast.AST], tuple[str, type[ast.AST], str]] = {
    ast.Add: ("+", ast.Sub, "-"),
    ast.Sub: ("-", ast.Add, "+"),
    ast.Mult: ("*", ast.Div, "/"),
    ast.Div: ("/", ast.Mult, "*"),
    ast.FloorDiv: ("//", ast.Mult, "*"),
    ast.Pow: ("**", ast.Mult, "*"),
    ast.BitAnd: ("&", ast.BitOr, "|"),
    ast.BitOr: ("|", ast.BitAnd, "&"),
    ast.And: ("and", ast.Or, "or"),
    ast.Or: ("or", ast.And, "and"),
    ast.Lt: ("<", ast.LtE, "<="),
    ast.LtE: ("<=", ast.Lt, "<"),
    ast.Gt: (">", ast.GtE, ">="),
    ast.GtE: (">=", ast.Gt, ">"),
    ast.Eq: ("==", ast.NotEq, "!="),
    ast.NotEq: ("!=", ast.Eq, "=="),
    ast.Is: ("is", ast.IsNot, "is not"),
    ast.IsNot: ("is not", ast.Is, "is"),
    ast.In: ("in", ast.NotIn, "not in"),
    ast.NotIn: ("not in", ast.In, "in"),
}
NAMES = {
    "min": "max",
    "max": "min",
    "minimum": "maximum",
    "maximum": "minimum",
    "amin": "amax",
    "amax": "amin",
    "mean": "sum",
    "sum": "mean",
    "any": "all",
    "all": "any",
}
DROPPED_METHODS = ("detach", "clone", "abs", "clamp", "contiguous")
COMMUTATIVE = ("min", "max", "minimum", "maximum", "zip", "add", "mul", "isinstance")
Edit = Callable[[Any], Any]
Change = tuple[str, Edit]


@dataclass(frozen=True)
class Mutant:
    """One mutated program."""

    name: str
    source: str


def mutants(source: str) -> Iterator[Mutant]:
    """Yield every mutant of a program, in line order."""
    tree = ast.parse(source)
    sites = [
        (node.lineno, node.col_offset, place, node)
        for place, node in enumerate(ast.walk(tree))
        if isinstance(node, ast.expr | ast.stmt)
    ]
    skipped = {id(part) for node in ast.walk(tree) for whole in _untouched(node) for part in ast.walk(whole)}
    seen: Counter[str] = Counter()
    for line, _, place, node in sorted(sites, key=lambda site: site[:3]):
        if id(node) in skipped:
            continue
        for change_name, change in _changes(node):
            name = f"L{line}: {change_name}"
            seen[name] += 1
            mutated = _with(tree, place, change)
            yield Mutant(name if seen[name] == 1 else f"{name} #{seen[name]}", mutated)


def _with(tree: ast.Module, place: int, change: Edit) -> str:
    """Return the program with one node changed: the node at index `place` in `ast.walk` order."""
    fresh = copy.deepcopy(tree)
    target = list(ast.walk(fresh))[place]

    class Swap(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            return change(node) if node is target else self.generic_visit(node)

    return ast.unparse(ast.fix_missing_locations(Swap().visit(fresh)))


def _untouched(node: ast.AST) -> list[ast.AST]:
    """Return the parts of a node that do not affect behavior: docstrings, annotations, f-strings, errors."""
    if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
        return [node.body[0]]
    if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
        return [node.annotation]
    return [node] if isinstance(node, ast.JoinedStr | ast.Raise | ast.Import | ast.ImportFrom) else []


def _changes(node: ast.AST) -> list[Change]:
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp) and type(node.op) in OPERATORS:
        before, kind, after = OPERATORS[type(node.op)]
        changes = [(f"{before} -> {after}", _setting("op", kind()))]
        return [*changes, ("remove statement", _removed)] if isinstance(node, ast.AugAssign) else changes
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OPERATORS:
        before, kind, after = OPERATORS[type(node.ops[0])]
        return [(f"{before} -> {after}", _setting("ops", [kind(), *node.ops[1:]]))]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not | ast.Invert):
        sign = {ast.USub: "-", ast.Not: "not", ast.Invert: "~"}[type(node.op)]
        return [(f"drop {sign}", lambda unary: unary.operand)]
    if isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        return _constant_changes(node)
    if isinstance(node, ast.Call):
        return _call_changes(node)
    return _statement_changes(node)


def _constant_changes(node: ast.Constant) -> list[Change]:
    value = node.value
    if isinstance(value, bool):
        other: bool | int | float = not value
    elif isinstance(value, int):
        other = value + 1
    else:
        assert isinstance(value, float)
        other = value * 1.5 if value else 0.01
    return [
        (f"{value} -> {other:.6g}" if isinstance(other, float) else f"{value} -> {other}", _setting("value", other))
    ]


def _call_changes(node: ast.Call) -> list[Change]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    changes: list[Change] = []
    if name in NAMES:
        attribute = "attr" if isinstance(node.func, ast.Attribute) else "id"
        changes.append((f"{name} -> {NAMES[name]}", _renamed(attribute, NAMES[name])))
    if name in DROPPED_METHODS and isinstance(node.func, ast.Attribute):
        changes.append((f"drop {name}", lambda call: call.func.value))
    first = 1 if name == "where" else 0
    if (
        len(node.args) > first + 1
        and name not in COMMUTATIVE
        and not any(isinstance(a, ast.Starred) for a in node.args)
    ):
        changes.append((f"swap arguments of {name}", _swapped(first)))
    return changes


def _statement_changes(node: ast.AST) -> list[Change]:
    if isinstance(node, ast.With) and "no_grad" in ast.unparse(node.items[0]):
        return [("drop no_grad", lambda block: ast.If(ast.Constant(True), block.body, []))]
    if isinstance(node, ast.FunctionDef) and any(
        "no_grad" in ast.unparse(decorator) for decorator in node.decorator_list
    ):
        return [("drop no_grad", _setting("decorator_list", []))]
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        return [("remove statement", _removed)]
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        read = {name.id for name in ast.walk(node.value) if isinstance(name, ast.Name)}
        return [("remove statement", _removed)] if node.targets[0].id in read else []
    if isinstance(node, ast.Expr | ast.If | ast.Break | ast.Continue):
        return [("remove statement", _removed)]
    return []


def _removed(node: ast.AST) -> ast.AST:
    """Return the replacement for a removed statement; an `if` keeps its else branch."""
    rest = node.orelse if isinstance(node, ast.If) else []
    return ast.If(ast.Constant(True), rest, []) if rest else ast.Pass()


def _setting(attribute: str, value: object) -> Edit:
    def change(node: Any) -> Any:
        setattr(node, attribute, value)
        return node

    return change


def _renamed(attribute: str, name: str) -> Edit:
    def change(node: Any) -> Any:
        setattr(node.func, attribute, name)
        return node

    return change


def _swapped(first: int) -> Edit:
    def change(node: Any) -> Any:
        node.args[first], node.args[first + 1] = node.args[first + 1], node.args[first]
        return node

    return change
