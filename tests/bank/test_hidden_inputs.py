"""The gate for numbers rejects an input that the reader does not see, and an input that has no effect."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bank.hidden_inputs import has_input, hidden, literals, names, numbers_shown, without_effect
from tests.bank.test_numbers import input_complaints

BEFORE = "A 7B model in BF16 on 64 GPUs. Each has three links at 50 GB/s and a clip of 20 %."


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("7 * 16 / 8", [8]),
        ("7e9 * 3 / 50e9", []),
        ("1 + 20 / 100 + 0.2 + 64 ** 2 / 1024 ** 3", []),
        ("64 * 10 ** 9", []),
        ("round(64 / 13, -3)", [13]),
        ("min(gpus, 64)", []),
        ("7 * 2", [2]),
        ("7 * 10 + 0.1 * 64", [10, 0.1]),
        ("7 ** 2 + 2 ** -7 + 100 * 7 / 1e9", []),
    ],
)
def test_a_literal_that_no_reader_sees_is_hidden(expression: str, expected: list[float]) -> None:
    assert hidden(expression, numbers_shown(BEFORE)) == expected


def test_names_and_literals_are_told_apart_from_functions_and_digits() -> None:
    assert names("min(gpus, sqrt(pi) * 2)") == {"gpus", "pi"}
    assert literals("round(7 * 7 + 10 ** 12, -2)") == [7]
    assert literals("3 ** 2 + 2 ** 5 - 2") == [3, 5, 2]


@pytest.mark.parametrize(
    ("expression", "is_computed"),
    [
        ("7 * 16", True),
        ("width + 1", True),
        ("1 / sqrt(pi)", True),
        ("exp(20 / 100)", True),
        ("exp(0)", False),
        ("2 ** 2", False),
        ("10 ** 3 / 1000", False),
        ("1 / bits_per_byte", False),
    ],
)
def test_an_expression_needs_an_input_of_the_text_or_a_given(expression: str, is_computed: bool) -> None:
    assert has_input(expression, {"width"}, numbers_shown(BEFORE)) is is_computed


@pytest.mark.parametrize(
    ("expression", "stated", "half_digit", "idle"),
    [
        ("3 * width / 64", 6, 0.5, []),
        ("64 * width / 64", 128, 0.5, ["64"]),
        ("max(80, width)", 128, 0.5, []),
        ("max(40, width)", 128, 0.5, ["40"]),
        ("width / width", 1, 0.5, ["width"]),
        ("comb(12, 3)", 220, 0.5, []),
        ("round(2 * width, -2)", 300, 50, []),
    ],
)
def test_an_input_that_changes_nothing_is_named(
    expression: str, stated: float, half_digit: float, idle: list[str]
) -> None:
    assert without_effect(expression, {"width": 128.0}, stated, half_digit) == idle


@pytest.mark.parametrize(
    ("entries", "complaint"),
    [
        ({"computed": {"14 GB": "7 * 16 / bits_per_byte"}}, ""),
        ({"computed": {"1.75 GB": "7 * 2 / 8"}}, "uses 8, which no reader sees"),
        ({"computed": {"1.75 GB": "7 * 2 / ranks"}, "given": {"ranks": 8}}, "uses 2, which no reader sees"),
        ({"computed": {"1.75 GB": "7 * 16 / bits_per_byte / ranks"}, "given": {"ranks": 8}}, ""),
        ({"computed": {"14 GB": "14"}}, "uses 14, which no reader sees"),
        ({"computed": {"4 GB": "2 ** 2"}}, "is computed from nothing"),
        ({"computed": {"4 GB": "1 + 1 + 1 + 1"}}, "is computed from nothing"),
        ({"computed": {"37 GB": "x"}, "given": {"x": 37}}, "only repeats a given"),
        ({"computed": {"37 GB": "1 * x"}, "given": {"x": 37}}, "only repeats a given"),
        ({"computed": {"14 GB": "7 * 16 / bits_per_byte"}, "given": {"ranks": 8}}, "given ranks is not used"),
        ({"computed": {"14 GB": "7 * 16 / bits_per_byte * 64 / 64"}}, "is the same whatever 64 is"),
        ({"computed": {"14 GB": "7 * 16 / bits_per_byte * 64 / 64"}, "invariant": {"14 GB": ["64"]}}, ""),
        ({"computed": {"14 GB": "7 * 16 / bits_per_byte"}, "invariant": {"14 GB": ["7"]}}, "whatever nothing is"),
        ({"computed": {"14 GB": "7 * 16 / bits_per_byte"}, "invariant": {"15 GB": ["7"]}}, "'15 GB' is not computed"),
    ],
)
def test_each_kind_of_entry_is_checked(entries: dict[str, Any], complaint: str) -> None:
    (answer,) = entries["computed"]
    lines = input_complaints(entries, BEFORE, f"That is {answer}.")

    assert (complaint in "\n".join(lines)) if complaint else lines == []
