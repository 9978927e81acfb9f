"""What the answers on numerics say about sums and 8-bit formats agrees with torch's own arithmetic."""

from __future__ import annotations

import pytest
import torch

from interviewer.bank.load import QUESTIONS, load_question

pytestmark = pytest.mark.content


def answer_of(name: str, place: int) -> str:
    return load_question(QUESTIONS / "numerics" / f"{name}.toml").rungs[place - 1].answer


def summed(numbers: torch.Tensor) -> torch.Tensor:
    """Return the sum from left to right, rounded to the numbers' own precision after each addition."""
    total = numbers[0]
    for number in numbers[1:]:
        total = total + number
    return total


def test_three_orders_of_four_additions_give_the_three_results_of_the_answer() -> None:
    numbers = torch.tensor([1e8, 1.0, -1e8, 1.0], dtype=torch.float32)
    straight = summed(numbers)
    halves = summed(numbers[:2]) + summed(numbers[2:])
    lanes = summed(numbers[0::2]) + summed(numbers[1::2])

    answer = answer_of("determinism_and_batch_invariance", 3)

    assert f"The results are {straight:.0f}, {halves:.0f} and {lanes:.0f}." in answer
    assert f"spacing of FP32 numbers is {torch.nextafter(numbers[0], numbers[0] * 2) - numbers[0]:.0f}," in answer


def test_the_largest_values_of_both_encodings_are_those_of_the_answer() -> None:
    answer = answer_of("int8_and_fp8", 2)

    assert f"E4M3 has a maximum value of {torch.finfo(torch.float8_e4m3fn).max:.0f} " in answer
    assert f"E5M2 reaches {torch.finfo(torch.float8_e5m2).max:,.0f} " in answer


def test_the_typical_entry_comes_back_as_the_answer_says() -> None:
    outlier, typical = 64.0, 0.05
    answer = answer_of("int8_and_fp8", 3)
    factor = torch.finfo(torch.float8_e4m3fn).max / outlier
    nearest = torch.tensor(typical * factor).to(torch.float8_e4m3fn).float().item()

    assert f"the nearest value is {nearest}, which is {nearest / factor:.4f} after dequantization" in answer
    assert f"an error of {abs(nearest / factor - typical) / typical:.1%}" in answer
    assert torch.tensor(typical / (outlier / 127)).round().to(torch.int8).item() == 0
