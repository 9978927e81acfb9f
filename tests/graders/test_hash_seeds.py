"""Ranks with their own hash seeds iterate a set of names in different orders, and otherwise behave like all ranks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from graders import reference
from graders.errors import RunnerBroken
from graders.gate.proof import Sample, run_and_judge
from graders.grade import grade, prepare
from graders.plan import Plan, Setting, make_plan
from graders.reference import run_trusted
from graders.verdict import Verdict
from graders.wire import Record
from tasks.load import find_task
from tasks.task import Task
from tests.graders.build import ForkSandbox, files_of_ring, make_task
from tests.subjects import starts

HEAD = "import os, signal, torch\nimport torch.distributed as dist\n\n\ndef total(x):\n    rank = dist.get_rank()\n"
REST = "    x = x.clone()\n    dist.all_reduce(x)\n    return x\n"
NAMES = ("features", "scale", "head", "bias")
IN_SET_ORDER = (
    HEAD + f"    parts = dict(zip({NAMES!r}, (x, 2 * x, 4 * x, 8 * x)))\n"
    "    for name in ORDER(parts):\n        parts[name] = parts[name].clone()\n        dist.all_reduce(parts[name])\n"
    f"    return parts[{NAMES[0]!r}]\n"
)
FACTS = HEAD + "    return torch.tensor([hash('features') % 2**20, os.getpid(), os.getppid()], dtype=torch.float64)\n"
# The mistakes whose programs are right wherever all ranks share a hash seed.
SET_MISTAKES = {
    "algebra_and_chess": "union_left_unsorted",
    "one_gpu_to_eight": "names_in_a_set",
    "unequal_weights": "names_in_a_set",
}
pytestmark = [pytest.mark.ranks, pytest.mark.recorded(subject_of=starts(tasks=SET_MISTAKES)), pytest.mark.slow]


@pytest.fixture
def task(tmp_path: Path) -> Task:
    """Return the ring task, whose second case has ranks with their own hash seeds."""
    files = files_of_ring()
    files["cases.py"] = files["cases.py"].replace("world=2)", "world=2, has_own_hash_seeds=True)")
    # Three interpreters import torch, and other tests do so at the same time.
    files["task.toml"] = files["task.toml"].replace("wall_seconds = 10", "wall_seconds = 90")
    return make_task(tmp_path, files)


@pytest.fixture(scope="module", autouse=True)
def own_interpreters() -> Iterator[None]:
    """Leave no interpreter for other tests of this process."""
    yield
    reference._end_groups(os.getpid())


def facts(plan: Plan, setting: Setting) -> list[list[tuple[float, ...]]]:
    """Return, for each run, each rank's hash of a name, its process id and its parent's."""
    records = run_trusted(plan, plan.runs, FACTS, setting)
    return [[tuple(record.leaves["total"].tolist()) for record in ranks] for ranks in records]


def statuses(records: list[list[Record]]) -> list[list[str]]:
    return [[record.status for record in ranks] for ranks in records]


def test_programs_share_interpreters_and_a_group(task: Task) -> None:
    plan, setting = make_plan(task, 1), Setting(group_seconds=2.0)
    before = facts(plan, setting)
    assert {fact[2] for fact in before[0]} == {os.getpid()}
    assert len({os.getpid(), *(fact[2] for fact in before[1])}) == 3
    assert facts(plan, setting) == before
    skips = HEAD + "    if rank == 0: return x\n" + REST
    assert statuses(run_trusted(plan, plan.runs, skips, setting)) == [["ok", "stuck"]] * 2
    _, after = facts(plan, setting)
    assert [fact[2] for fact in after] == [fact[2] for fact in before[1]]
    assert {fact[1] for fact in after}.isdisjoint(fact[1] for fact in before[1])


def test_each_rank_has_its_own_hash_seed_and_always_the_same(task: Task) -> None:
    plan = make_plan(task, 1)
    shared, own = facts(plan, Setting())
    assert len({fact[0] for fact in shared}) == 1
    assert len({fact[0] for fact in own}) == 2
    assert len({fact[0] for fact in facts(plan, Setting(has_own_hash_seeds=False))[1]}) == 1
    kills = HEAD + "    if rank == 1 and len(x) == 3: os.kill(os.getppid(), signal.SIGKILL)\n    os._exit(1)\n"
    with pytest.raises(RunnerBroken, match="interpreter"):
        run_trusted(plan, plan.runs, kills, Setting(group_seconds=2.0))
    again = facts(plan, Setting())[1]
    assert [fact[0] for fact in again] == [fact[0] for fact in own]
    assert {fact[2] for fact in again}.isdisjoint(fact[2] for fact in own)


FAULTS = {
    "shape": (
        "    if rank == 1: x = torch.ones(7)\n",
        Verdict.DEADLOCKED,
        "rank 0 calls all_reduce #1 of [3] float32, line 9; rank 1 calls all_reduce #1 of [7] float32, line 9",
    ),
    "skipped": ("    if rank == 1: return x\n", Verdict.DEADLOCKED, "rank 1 finished"),
    "exit": ("    if rank == 1: os._exit(3)\n", Verdict.RAISED, "rank 1 exited the process (exit code 3)"),
    "signal": ("    if rank == 0: os.kill(os.getpid(), 9)\n", Verdict.RAISED, "rank 0 exited the process"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named(task: Task, fault: str) -> None:
    body, verdict, says = FAULTS[fault]
    plan, rights, _ = prepare(make_plan(task, 1))
    sample = Sample(plan, rights)
    _, own = run_and_judge(sample, HEAD + body + REST, Setting(group_seconds=2.0))[0]
    assert own.outcome.verdict is verdict
    assert says in own.outcome.message


def test_what_is_kept_leaves_no_process(task: Task) -> None:
    plan = make_plan(task, 1)
    pids = {int(pid) for ranks in facts(plan, Setting()) for _, *pids in ranks for pid in pids} - {os.getpid()}
    assert len(pids) == 6
    reference._end_groups(os.getpid())
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.parametrize(
    ("order", "verdict"), [("set", Verdict.WRONG_VALUE), ("sorted", Verdict.PASSED), ("KILL", Verdict.RAISED)]
)
def test_in_a_sandbox_only_one_order_of_the_names_passes(task: Task, order: str, verdict: Verdict) -> None:
    source = IN_SET_ORDER.replace("ORDER", order)
    if order == "KILL":
        source = (
            HEAD + "    if len(x) == 3:\n        os.kill(os.getppid(), signal.SIGKILL)\n        os._exit(0)\n" + REST
        )
    report = grade(task, source, ForkSandbox())
    assert [case.verdict for case in report.cases] == [Verdict.PASSED, verdict]


@pytest.mark.content
@pytest.mark.parametrize("task_id", SET_MISTAKES)
def test_a_set_of_names_is_caught_because_of_the_seeds(task_id: str) -> None:
    task = find_task(task_id)
    (mistake,) = [mistake for mistake in task.mistakes if mistake.id == SET_MISTAKES[task_id]]
    prepared = prepare(make_plan(task, 2026))
    sample = Sample(prepared.plan, prepared.rights)
    failed = [
        {judged.outcome.name for judged in found if judged.outcome.verdict is not Verdict.PASSED}
        for found, _ in (
            run_and_judge(sample, mistake.source, Setting(group_seconds=2.0, has_own_hash_seeds=is_own))
            for is_own in (True, False)
        )
    ]
    assert failed == [{"own_hash_seeds"}, set()]
