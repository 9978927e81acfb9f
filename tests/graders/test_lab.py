"""The lab's counter agrees with closed forms, its models agree with the references, and wrong estimates are visible."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from graders.errors import GradingError
from graders.lab import estimates, experiments
from graders.lab.estimates import LabBroken, run_lab
from graders.lab.meter import ALLOCATOR, COUNTED, AllocationCounter, CudaMeter
from graders.lab.result import MATCHES, TASKS, Figure, LabResult, result_from_json
from tasks.load import find_task
from tests.graders.acted_gpu import acted_gpu
from tests.graders.build import ForkSandbox
from tests.subjects import shipped_tasks

pytestmark = pytest.mark.recorded(subject_of=shipped_tasks(*TASKS))


def mlp() -> torch.nn.Module:
    return torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.GELU(), torch.nn.Linear(256, 64))


def test_a_step_of_adamw_in_fp32_takes_sixteen_bytes_per_parameter() -> None:
    with AllocationCounter() as counter:
        model = mlp()
        parameters = list(model.parameters())
        count = sum(parameter.numel() for parameter in parameters)
        assert counter.live_bytes() == 4 * count
        inputs = torch.randn(8, 64)
        before = counter.live_bytes()
        model(inputs).sum().backward()
        assert counter.live_bytes() - before == 4 * count, "the activations are freed, the gradients stay"
        optimizer = torch.optim.AdamW(parameters)
        optimizer.step()
        step_counters = 4 * len(parameters)
        assert counter.live_bytes() - inputs.nbytes == 16 * count + step_counters
        optimizer.zero_grad()
        assert counter.live_bytes() - inputs.nbytes == 12 * count + step_counters


def test_a_linear_layer_and_a_gelu_keep_what_their_backward_needs() -> None:
    rows, width = 32, 64
    with AllocationCounter() as counter:
        layer = torch.nn.Linear(width, 4 * width, dtype=torch.bfloat16)
        inputs = torch.randn(rows, width, dtype=torch.bfloat16)
        before = counter.live_bytes()
        output = torch.nn.functional.gelu(layer(inputs))
        assert counter.live_bytes() - before == 2 * (2 * rows * 4 * width), "the input of the GELU, and its output"
        loss = output.sum()
        del output
        assert counter.live_bytes() - before == 2 * rows * 4 * width + loss.nbytes


def test_shared_storage_counts_once_until_its_last_tensor_is_gone() -> None:
    with AllocationCounter() as counter:
        whole = torch.ones(1000)
        part, seen = whole[10:20], whole.view(10, 100).T
        assert counter.live_bytes() == 4000
        del whole, part
        assert counter.live_bytes() == 4000
        del seen
        assert counter.live_bytes() == 0


def test_the_peak_and_a_storage_that_grows_are_counted() -> None:
    with AllocationCounter() as counter:
        kept = torch.zeros(100)
        torch.zeros(900)
        assert (counter.live_bytes(), counter.peak_bytes()) == (400, 4000)
        counter.reset_peak()
        assert counter.peak_bytes() == 400
        target = torch.empty(0)
        torch.add(kept, 1, out=target)
        assert counter.live_bytes() == 800
    torch.zeros(50)
    assert counter.live_bytes() == 800, "outside the mode, nothing is counted"


@pytest.fixture(scope="module")
def measured() -> dict[str, dict[str, Any]]:
    """Return what the child process would print for each task, measured in this process."""
    return {task: json.loads(json.dumps(experiments.measure(task, "cpu"))) for task in TASKS}


@pytest.fixture
def in_this_process(measured: dict[str, dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimates, "measure", lambda task, device: measured[task])


def lab(task_id: str, source: str = "") -> LabResult:
    result = run_lab(find_task(task_id), "auto", source, ForkSandbox())
    return result_from_json(json.loads(json.dumps(result.to_json())))


def figures(result: LabResult) -> dict[tuple[str, str], Figure]:
    return {(setup.name, figure.phase): figure for setup in result.setups for figure in setup.figures}


def test_every_experiment_has_a_task_that_estimates() -> None:
    assert tuple(experiments.EXPERIMENTS) == TASKS
    assert {find_task(task).kind for task in TASKS} == {"estimate"}
    for task in TASKS:
        assert f"`interviewer lab {task}`" in find_task(task).statement


@pytest.mark.slow
@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("task_id", TASKS)
def test_a_right_estimate_matches_what_a_real_model_takes(task_id: str) -> None:
    result = lab(task_id, find_task(task_id).reference)
    assert (result.device, result.method, result.has_submission) == ("cpu", COUNTED, True)
    judged = [figure for figure in figures(result).values() if figure.reference is not None]
    assert len(judged) >= len(result.setups)
    for figure in judged:
        assert figure.yours == figure.reference
        assert figure.problem == ""
    if task_id != "activation_memory":
        assert {figure.difference() for figure in judged} == {MATCHES}


@pytest.mark.slow
@pytest.mark.usefixtures("in_this_process")
def test_a_real_transformer_keeps_what_the_formula_says_within_a_percent() -> None:
    by_name = figures(lab("activation_memory"))
    for (name, phase), figure in by_name.items():
        if figure.reference is not None and name != "selective recomputation":
            assert figure.measured == pytest.approx(figure.reference, rel=0.01), (name, phase)
    kept = {
        name: figure.measured for (name, phase), figure in by_name.items() if phase == "kept after the forward pass"
    }
    assert kept["full recomputation"] < kept["fused attention"] < kept["everything kept"]
    assert kept["selective recomputation"] == pytest.approx(kept["fused attention"], rel=0.01)
    selective = by_name["selective recomputation", "while a layer is recomputed"]
    assert selective.reference is not None
    assert 0.85 < selective.measured / selective.reference < 0.95, "its note says what was freed by then"


@pytest.mark.slow
@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(
    ("task_id", "mistake", "setup", "phase", "difference"),
    [
        ("kv_bytes", "values_forgotten", "8 key-value heads, bf16", "cache after the last token", "-50.0%"),
        ("zero_shard_bytes", "gradients_like_weights", "fp32, AdamW", "gradients", MATCHES),
        (
            "zero_shard_bytes",
            "gradients_like_weights",
            "bf16 with fp32 master weights and fp32 gradients, AdamW",
            "gradients",
            "-50.0%",
        ),
    ],
)
def test_a_wrong_estimate_shows_its_difference(
    task_id: str, mistake: str, setup: str, phase: str, difference: str
) -> None:
    (wrong,) = [known.source for known in find_task(task_id).mistakes if known.id == mistake]
    assert figures(lab(task_id, wrong))[setup, phase].difference() == difference


@pytest.mark.slow
@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("raise ValueError('\x1b[31mno idea')", "ValueError: no idea"),
        ("return 'many'", "no number for memory_bytes"),
        ("return float('inf')", "no number for memory_bytes"),
        ("import os; os._exit(3)", "the process ended without a result (exited)"),
    ],
)
def test_an_estimate_that_is_no_number_says_why(body: str, problem: str) -> None:
    source = f"def kv_bytes(L, n_kv, d_h, bytes, tokens, tp=1, mla=None):\n    {body}\n"
    first = lab("kv_bytes", source).setups[0].figures[0]
    assert (first.yours, first.difference()) == (None, problem)


@pytest.mark.slow
@pytest.mark.usefixtures("in_this_process")
def test_without_a_submission_only_the_reference_is_shown() -> None:
    result = lab("kv_bytes")
    assert not result.has_submission
    assert {(figure.yours, figure.difference()) for figure in figures(result).values()} == {(None, "")}


@pytest.mark.slow
def test_the_child_process_says_that_there_is_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert estimates.measure("pool_tokens", "auto")["method"] == COUNTED
    with pytest.raises(GradingError, match="torch sees no CUDA device") as caught:
        estimates.measure("pool_tokens", "cuda")
    assert caught.value.kind == "DeviceMissing"
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(LabBroken, match="end of its log: empty"):
        estimates.measure("pool_tokens", "cpu")


def test_a_task_without_an_experiment_is_refused() -> None:
    with pytest.raises(GradingError, match="no memory lab for gae") as caught:
        lab("gae")
    assert "kv_bytes" in caught.value.fix


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Simulate a GPU whose allocator is the counter."""
    with AllocationCounter() as allocator, acted_gpu():
        monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
        monkeypatch.setattr(torch.cuda, "memory_allocated", allocator.live_bytes)
        monkeypatch.setattr(torch.cuda, "max_memory_allocated", allocator.peak_bytes)
        monkeypatch.setattr(torch.cuda, "reset_peak_memory_stats", allocator.reset_peak)
        yield


@pytest.mark.slow
@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("task_id", TASKS)
def test_on_a_gpu_the_allocator_is_read(task_id: str, measured: dict[str, dict[str, Any]]) -> None:
    on_gpu = experiments.measure(task_id, "auto")
    assert (on_gpu["device"], on_gpu["method"]) == ("cuda", ALLOCATOR)
    for setup, counted in zip(on_gpu["setups"], measured[task_id]["setups"], strict=True):
        for sample, count in zip(setup["samples"], counted["samples"], strict=True):
            assert sample[:1] == tuple(count[:1])
            assert sample[1] == pytest.approx(count[1], rel=0.01)


@pytest.mark.usefixtures("gpu")
def test_what_the_allocator_held_before_is_not_counted() -> None:
    before = torch.zeros(1000, device="cuda")
    meter = CudaMeter()
    assert meter.live_bytes() == 0
    added = torch.zeros(10, device="cuda")
    assert (meter.live_bytes(), before.numel()) == (added.nbytes, 1000)
