"""Only an error within the tolerance passes; the position with the largest error is named."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from graders.compare import Expected, compare, expected_output
from graders.verdict import Verdict
from graders.wire import OmittedValue, Record
from tasks.task import Tolerance

TOLERANCES = {"float32": Tolerance(rtol=0.0, atol=0.1)}


def verdict_of(right: Any, got: Any) -> tuple[str, str]:
    finding = compare(Expected({"out": expected_output(right)}, {}), Record(0, "ok", {"out": got}), TOLERANCES)
    return finding.verdict.value, finding.message


@pytest.mark.parametrize(
    ("right", "got", "verdict"),
    [
        (1.0, 1.09, "passed"),
        (1.0, 1.11, "wrong_value"),
        (1.0, 1, "passed"),
        (1.0, True, "wrong_dtype"),
        (1, 1.0, "wrong_dtype"),
        (3, 4, "wrong_value"),
        (True, False, "wrong_value"),
        (1.0, math.nan, "non_finite"),
        (math.inf, math.inf, "passed"),
        (math.inf, -math.inf, "wrong_value"),
        (math.inf, 1e300, "wrong_value"),
        (math.nan, math.nan, "passed"),
        (math.nan, 0.0, "wrong_value"),
        (1.0, torch.tensor(1.0), "wrong_dtype"),
        (1.0, OmittedValue("str"), "wrong_dtype"),
        (torch.zeros(2, 3), torch.zeros(3), "wrong_shape"),
        (torch.zeros(2, 3), torch.zeros(0, 3), "wrong_shape"),
        (torch.zeros(2), torch.zeros(2, dtype=torch.bfloat16), "wrong_dtype"),
        (torch.zeros(2, 0), torch.zeros(2, 0), "passed"),
        (torch.tensor([1, 2]), torch.tensor([1, 3]), "wrong_value"),
        (torch.tensor([1.0, math.nan]), torch.tensor([1.0, math.nan]), "passed"),
        (torch.tensor([1.0, math.nan]), torch.tensor([math.nan, math.nan]), "non_finite"),
    ],
)
def test_one_output(right: Any, got: Any, verdict: str) -> None:
    assert verdict_of(right, got)[0] == verdict


def test_the_message_says_where_and_by_how_much() -> None:
    got = torch.zeros(2, 3)
    got[1, 2], got[0, 1] = 5.0, 1.0
    assert verdict_of(torch.zeros(2, 3), got)[1] == (
        "out[1, 2]: expected 0, got 5 (off by 5, tolerance 0.1); 2 of 6 values differ"
    )


@pytest.mark.parametrize(("right", "got"), [(math.nan, 0.0), (math.inf, 2.0)])
def test_a_distance_that_is_not_finite_is_not_told(right: float, got: float) -> None:
    finding = compare(Expected({"out": expected_output(right)}, {}), Record(0, "ok", {"out": got}), TOLERANCES)
    assert (finding.message, finding.error) == (f"out: expected {right:g}, got {got:g}", None)


@pytest.mark.parametrize(
    ("right", "got", "says"),
    [
        (0.3, 0.6, "expected 0.3, got 0.6 "),
        (0.3000001, 0.3, "expected 0.3000001, got 0.3 "),
        (1234567, 1234568, "expected 1234567, got 1234568 "),
        (1.0, 1.0 + 2**-50, "expected 1, got 1.000000000000001 "),
    ],
)
def test_numbers_have_as_many_digits_as_it_takes_to_differ(right: float, got: float, says: str) -> None:
    exact = {"float32": Tolerance(rtol=0.0, atol=0.0)}
    finding = compare(Expected({"out": expected_output(right)}, {}), Record(0, "ok", {"out": got}), exact)
    assert says in finding.message


def test_gradients_come_after_values_and_missing_ones_are_named() -> None:
    expected = Expected({"out": expected_output(1.0)}, {"x": expected_output(torch.ones(2))}, ("c",))
    record = Record(0, "ok", {"out": 1.0}, {"x": torch.ones(2), "c": torch.zeros(1)})
    assert compare(expected, record, TOLERANCES).verdict is Verdict.PASSED
    for gradients, says in (
        ({"x": torch.tensor([1.0, 2.0])}, "grad.x[1]: expected 1, got 2"),
        ({"x": None}, "no gradient reaches x"),
        ({"x": torch.ones(2), "c": torch.tensor([0.0, 0.3])}, "c must be treated as a constant"),
        ({"x": torch.ones(2), "c": torch.tensor([math.nan])}, "c must be treated as a constant"),
    ):
        finding = compare(expected, Record(0, "ok", {"out": 1.0}, gradients), TOLERANCES)
        assert finding.verdict is Verdict.WRONG_GRADIENT
        assert says in finding.message
        assert compare(expected, Record(0, "ok", {"out": 9.0}, gradients), TOLERANCES).verdict is Verdict.WRONG_VALUE
