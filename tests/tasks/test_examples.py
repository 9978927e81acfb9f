"""Each precise number in a statement's example comes from the task's cases, or is computed in `example_numbers.toml`.

A precise number is a decimal number with at least four significant digits. It must occur, rounded as written, among the
inputs or the expected results of the cases that are worked out by hand or shown to the candidate, or among the results
of the reference or of a repair task's starter for these cases. `example_numbers.toml` has the rest: for each task, the
number as written and an expression that gives it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import torch

from graders.plan import Setting, make_plan
from graders.reference import run_trusted
from interviewer.bank.arithmetic import evaluate
from tasks.load import find_task, load_tasks
from tasks.task import PerRank, Task

pytestmark = pytest.mark.content

COMPUTED = tomllib.loads(Path(__file__).with_name("example_numbers.toml").read_text("utf-8"))
DECIMAL = re.compile(r"(?<![\w.])-?\d[\d,]*\.\d+")
DIGITS_MIN = 4
HALF = 0.5001  # of the last digit as written, with room for rounding errors
SEED = 0


def numbers_of(statement: str) -> list[str]:
    """Return the precise numbers in the example, as written."""
    _, _, example = statement.partition("\n## Example")
    written = DECIMAL.findall(re.split(r"\n## ", example)[0])
    return [number for number in written if len(re.sub(r"\D", "", number).lstrip("0")) >= DIGITS_MIN]


def is_among(written: str, values: list[float]) -> bool:
    """Return whether a value is written like this when it is rounded to as many decimal places."""
    number = float(written.replace(",", ""))
    step = 10.0 ** -len(written.partition(".")[2])
    return any(abs(value - number) <= HALF * step for value in values)


def floats_in(value: Any) -> Iterator[float]:
    """Yield every number in a nested value."""
    if isinstance(value, torch.Tensor):
        yield from value.double().flatten().tolist()
    elif isinstance(value, (int, float)):
        yield float(value)
    elif isinstance(value, PerRank):
        yield from floats_in(value.values)
    elif isinstance(value, (tuple, list, Mapping)):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from floats_in(item)


def values_of(task: Task) -> list[float]:
    """Return the numbers in the inputs and results of the cases that are worked out by hand or shown."""
    plan = make_plan(task, SEED)
    runs = [run for run in plan.base_runs if run.case.visible or run.case.expected is not None]
    values = [value for run in runs for value in floats_in((run.args, run.case.expected))]
    programs = [task.reference, task.starter] if task.kind == "repair" else [task.reference]
    for program in programs if runs else []:
        for is_float64 in (True, False):
            for records in run_trusted(plan, runs, program, Setting(is_float64=is_float64)):
                values += floats_in([(record.leaves, record.gradients) for record in records])
    return values


@pytest.mark.parametrize(
    "task", [task for task in load_tasks() if numbers_of(task.statement)], ids=lambda task: task.id
)
def test_each_number_of_the_example_is_a_result_or_an_input_or_computed(task: Task) -> None:
    values, computed = values_of(task), COMPUTED.get(task.id, {})

    assert [
        number for number in numbers_of(task.statement) if number not in computed and not is_among(number, values)
    ] == []


def test_each_computed_number_is_in_an_example_and_is_what_its_expression_gives() -> None:
    written = {task.id: numbers_of(task.statement) for task in load_tasks()}
    wrong = [
        f"{name}: {number} = {expression}"
        for name, entries in COMPUTED.items()
        for number, expression in entries.items()
        if number not in written[name] or not is_among(number, [evaluate(expression)])
    ]
    assert wrong == []


def test_a_changed_digit_is_noticed() -> None:
    task = find_task("ppo_clip_loss")
    assert numbers_of(task.statement) == ["0.333333", "0.095894"]
    assert numbers_of(task.statement.replace("0.095894", "0.195894")) == ["0.333333", "0.195894"]
    values = values_of(task)
    assert is_among("0.095894", values)
    assert not is_among("0.195894", values)
