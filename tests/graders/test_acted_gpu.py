"""Devices of tensors: on a simulated GPU, every stored program behaves as on the CPU and mixes no devices."""

from __future__ import annotations

import os
import warnings
from typing import Any

import pytest
import torch

from graders.outcomes import judge
from graders.plan import Setting, make_plan
from graders.reference import expectations, run_trusted
from graders.runner.entrypoint import prepare_gpu, warm_up
from graders.verdict import Verdict
from tasks.load import load_tasks
from tasks.task import Task
from tests.graders.acted_gpu import acted_gpu
from tests.graders.gpu_table import RIGHT, right_programs
from tests.recorded import Subject

TASKS = [task for task in load_tasks() if "cuda" in task.devices]


def test_it_is_as_strict_as_a_gpu() -> None:
    here, index = torch.arange(3.0), torch.tensor([2, 0])
    with acted_gpu():
        there = here.to("cuda").requires_grad_()
        assert (there.device.type, there.is_cuda, here.is_cuda, (there * 2).is_cuda) == ("cuda", True, False, True)
        assert torch.zeros_like(there).is_cuda
        assert there.new_ones(2).is_cuda
        assert not torch.zeros(2).is_cuda
        assert torch.zeros(2, device=there.device).is_cuda
        assert (there + torch.tensor(1.0)).is_cuda  # a number may come from anywhere
        assert there[index].is_cuda
        assert not there.detach().cpu().is_cuda
        assert not here.clone().copy_(there.detach()).is_cuda
        assert torch.autograd.grad(there.sum(), [there])[0].is_cuda
        assert torch.nn.Parameter(there.detach().clone()).is_cuda
        assert all(tensor.is_cuda for tensor in there.sort())
        assert torch.nn.Linear(3, 2).to("cuda").weight.is_cuda
        for wrong in (
            lambda: there + here,
            lambda: torch.where(there > 0, there, here),
            lambda: there.gather(0, index),
            lambda: torch.stack([there.sum(), torch.zeros(())]),
            lambda: torch.nn.Linear(3, 2)(there),
            lambda: here[index.to("cuda")],
        ):
            with pytest.raises(RuntimeError, match="same device"):
                wrong()
        with pytest.raises(TypeError, match="numpy"):
            there.detach().numpy()
    assert not here.is_cuda


def test_what_a_gpu_cannot_repeat_is_not_told_the_candidate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUBLAS_WORKSPACE_CONFIG", "")
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        prepare_gpu()
        # torch's own message, from its Context::alertNotDeterministic.
        warnings.warn("cumsum_cuda_kernel does not have a deterministic implementation, but you set", stacklevel=1)
        warnings.warn("std(): degrees of freedom is <= 0", stacklevel=1)
    assert [str(warning.message)[:5] for warning in warned] == ["std()"]
    assert os.environ["CUBLAS_WORKSPACE_CONFIG"] == ":4096:8"


def test_the_context_is_made_in_a_waiting_cell_and_never_where_ranks_are_forked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, ones = [], torch.ones

    def noted(*sizes: int, device: str = "cpu", **more: Any) -> torch.Tensor:
        made.append(device)
        return ones(*sizes, **more)

    monkeypatch.setattr(torch, "ones", noted)
    warm_up("cuda", is_distributed=True)
    assert "cuda" not in made
    warm_up("cuda", is_distributed=False)
    assert made == ["cuda"]


def _subject(params: dict[str, Task]) -> Subject:
    task = params["task"]
    return Subject(task.id, (task.folder, *(RIGHT / task.id).glob("*.py")))


@pytest.mark.recorded(subject_of=_subject)
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*degrees of freedom")
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_programs_end_there_as_they_do_here(task: Task) -> None:
    plan = make_plan(task.for_device("cuda"), seed=11)
    rights = expectations(plan)
    due = {name: (source, set[str]()) for name, source in right_programs(task.id).items()}
    due |= {mistake.id: (mistake.source, set(mistake.caught_by)) for mistake in task.mistakes}
    odd = {}
    for name, (source, caught_by) in due.items():
        with acted_gpu():
            records = run_trusted(plan, plan.runs, source, Setting(device="cuda"))
        outcomes = [judged.outcome for judged in judge(plan, rights, records, None)]
        failed = {outcome.name: outcome.message for outcome in outcomes if outcome.verdict is not Verdict.PASSED}
        if set(failed) != caught_by:
            odd[name] = failed
    assert odd == {}
