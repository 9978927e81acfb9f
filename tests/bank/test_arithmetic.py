"""Arithmetic is computed and everything else is rejected; numbers are found in the forms that people use."""

from __future__ import annotations

import pytest

from interviewer.bank.arithmetic import contains_number, evaluate, numbers_in


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2 * 28 * 4 * 128 * 2", 57344),
        ("-(1 - 0.5) ** 2", -0.25),
        ("ceil(log2(9)) + comb(4, 2)", 10),
        ("7e9 * 2", 14e9),
    ],
)
def test_arithmetic_is_computed(expression: str, value: float) -> None:
    assert evaluate(expression) == value


@pytest.mark.parametrize("expression", ["__import__('os')", "x + 1", "1 / 0", "(1", "'a' * 3", "[1][0]", "max"])
def test_what_is_not_arithmetic_is_refused(expression: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        evaluate(expression)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("57,344 bytes, or 56 KiB", [57344, 56]),
        ("between 3-5 and -2.5", [3, 5, -2.5]),
        ("1.88 GB per 32k tokens", [1.88]),
        ("log p(a) = −0.5, k3", [-0.5]),
        ("1e-4 is 100 times 1e-6.", [1e-4, 100, 1e-6]),
    ],
)
def test_numbers_are_found_as_people_write_them(text: str, numbers: list[float]) -> None:
    assert [number for number in numbers_in(text) if number in numbers] == numbers


def test_a_number_is_near_enough_or_not() -> None:
    assert contains_number("about 169 GB", 168, 0.01)
    assert not contains_number("about 171 GB", 168, 0.01)
    assert not contains_number("lots", 168, 0.5)
