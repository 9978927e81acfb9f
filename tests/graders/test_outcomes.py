"""A failing case shows its inputs: shortened, by rank, and, for a list of calls, only up to the first wrong result."""

from __future__ import annotations

import torch

from graders.grade import grade
from graders.outcomes import _shown
from graders.verdict import Verdict
from tasks.load import find_task
from tasks.task import Case, PerRank
from tests.graders.build import ForkSandbox


def shown(visible: bool = False, **args: object) -> str:
    return _shown(Case("one", args, visible=visible), None)


def test_small_inputs_are_whole_and_large_ones_say_their_shape() -> None:
    assert shown(x=torch.tensor([[1.0, 0.123456789]]), n=3, mode="sum") == "x=[[1, 0.123457]], n=3, mode=sum"
    long = shown(x=torch.arange(60.0).reshape(6, 10), n=list(range(100)))
    assert long == (
        "x=float32 [6, 10] [0, 1, 2, 3, 4, 5, 6, 7, ...], "
        "n=[0, 1, 2, 3, 4, 5, 6, 7, ... 84 more ..., 92, 93, 94, 95, 96, 97, 98, 99]"
    )
    assert "59" in shown(visible=True, x=torch.arange(60.0))


def test_inputs_by_rank_name_the_rank() -> None:
    by_rank = PerRank((torch.tensor([1.0]), torch.tensor([2.5])))
    assert shown(x=by_rank, lr=0.1) == "x=(rank 0: [1], rank 1: [2.5]), lr=0.1"
    nested = shown(batch={"x": by_rank, "ids": (1, 2)})
    assert nested == "batch={x: (rank 0: [1], rank 1: [2.5]), ids: (1, 2)}"


def test_calls_are_shown_up_to_the_first_wrong_result() -> None:
    allocator = find_task("paged_block_allocator")
    wrong = next(mistake for mistake in allocator.mistakes if mistake.id == "fork_copies")
    report = grade(allocator, wrong.source, ForkSandbox(), seed=3)
    inputs = {case.name: case.inputs for case in report.cases}
    assert inputs["forked"] == (
        "num_blocks=5, block_size=2, calls=[(allocate, A, [1, 2, 3]), (fork, A, B)] (the first 2 of 7)"
    )
    assert inputs["by_hand"] == ""


def test_a_relation_accepts_a_float_where_the_program_returned_an_int() -> None:
    task = find_task("long_tail_makespan")
    program = task.reference.replace("wasted,", 'wasted if mode == "over_provision" else 0,')
    assert program != task.reference
    assert grade(task, program, ForkSandbox(), seed=3).verdict is Verdict.PASSED
