"""The list of claims names statements and tests that exist, and has every statement with a word such as "gradient"."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

from tests.bank.read_points import statements

pytestmark = pytest.mark.content

HERE = Path(__file__).parent
# Matches statements that say what a gradient, a fixed point, a bias or an optimum is, or what changes it. The pattern
# is broad: a statement that only mentions one of the words is listed in `not_derived`, with the reason.
KIND = re.compile(
    r"\bgradients?\b(?! (?:steps?|norm|checkpointing|accumulation|sync\w*)\b)|\bslopes?\b|\bderivatives?\b"
    r"|\b(?:un)?bias(?:ed|es)?\b|\bfixed points?\b|\bcontraction\b|\bconverges?\b|\boptimum\b|\bvariance\b"
    r"|\b(?:maxim|minim)izes\b|\btelescopes?\b|\bcancels?\b|\bdoubles? the\b|\b(?:lower|upper) bound\b"
    r"|\bhave the same\b|\bpushed further\b|\bcollapse onto\b|\b(?:over|under)estimat\w*",
    re.IGNORECASE,
)
CLAIMS = tomllib.loads((HERE / "claims.toml").read_text("utf-8"))


def names_of_tests(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_each_claim_is_in_the_bank_and_each_test_exists() -> None:
    here = set().union(*(names_of_tests(path) for path in HERE.glob("test_*.py")))
    elsewhere = {f"{path.name}::{name}" for path in HERE.parent.glob("test_*.py") for name in names_of_tests(path)}

    assert {*CLAIMS["derived"], *CLAIMS["not_derived"]} - statements().keys() == set()
    assert {name for names in CLAIMS["derived"].values() for name in names} - here - elsewhere == set()
    assert not CLAIMS["derived"].keys() & CLAIMS["not_derived"].keys()


def test_each_statement_that_names_a_gradient_a_bias_or_an_optimum_is_in_the_list() -> None:
    listed = {*CLAIMS["derived"], *CLAIMS["not_derived"]}
    missing = [name for name, text in statements().items() if name not in listed and KIND.search(text)]

    assert missing == []
