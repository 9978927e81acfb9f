"""How autograd differentiates an all-reduce of the loss, in two real processes with gloo."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.recorded import code_alone

pytestmark = [pytest.mark.content, pytest.mark.recorded(subject_of=code_alone)]

SLOPES = [1.0, 2.0]
PROGRAM = """
import json, sys, warnings
import torch
import torch.distributed as dist
import torch.distributed.nn.functional as differentiable

warnings.simplefilter("ignore")
rank, store, slopes = int(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=len(slopes))

def run(reduce):
    weight = torch.ones((), requires_grad=True)
    loss = reduce(slopes[rank] * weight)
    (slope,) = torch.autograd.grad(loss, weight)
    return [float(loss.detach()), float(slope)]

def plain(loss):
    dist.all_reduce(loss)
    return loss

def plain_mean(loss):
    dist.all_reduce(loss)
    return loss / len(slopes)

print(json.dumps({
    "local": run(lambda loss: loss),
    "plain": run(plain),
    "plain twice": run(lambda loss: plain(plain(loss))),
    "plain mean": run(plain_mean),
    "differentiable": run(differentiable.all_reduce),
}))
dist.destroy_process_group()
"""


def test_the_plain_call_changes_the_value_and_not_the_gradient_and_the_differentiable_one_changes_both(
    tmp_path: Path,
) -> None:
    commands = [
        [sys.executable, "-c", PROGRAM, str(rank), str(tmp_path / "store"), json.dumps(SLOPES)]
        for rank in range(len(SLOPES))
    ]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for command in commands]
    try:
        # The time limit allows for importing torch twice on a busy machine.
        printed = [json.loads(process.communicate(timeout=240)[0]) for process in running]
    finally:
        for process in running:
            process.kill()
            process.wait()

    total, ranks = sum(SLOPES), len(SLOPES)
    for slope, of_rank in zip(SLOPES, printed, strict=True):
        assert of_rank == {
            "local": [slope, slope],
            "plain": [total, slope],
            "plain twice": [total * ranks, slope],
            "plain mean": [total / ranks, slope / ranks],
            "differentiable": [total, slope * ranks],
        }
