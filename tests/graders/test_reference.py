"""Our own programs share a group of ranks only while nothing in one of them can affect the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.plan import Setting, make_plan
from graders.reference import run_trusted
from graders.wire import Record
from tests.graders.build import RING_REFERENCE, files_of_ring, make_task

pytestmark = pytest.mark.ranks

REST = "    x = x.clone()\n    dist.all_reduce(x)\n    return x\n"
HEAD = RING_REFERENCE[: RING_REFERENCE.index("    x = x.clone()")] + "    rank = dist.get_rank()\n"
PIDS = HEAD + "    import os\n    return torch.tensor([float(os.getpid())])\n"
LEFTOVERS = {
    "a message": "    if rank == 0: dist.send(x, 1)\n" + REST,
    "a group": "    dist.new_group([0, 1])\n" + REST,
    "a call that nobody waited for": REST.replace("    return", "    dist.barrier(async_op=True)\n    return"),
    "a broken run": "    if rank == 0: return x\n" + REST,
}


@pytest.fixture
def records(tmp_path: Path):  # type: ignore[no-untyped-def]
    task = make_task(tmp_path, files_of_ring())
    plan = make_plan(task, 1)

    def run(source: str) -> list[list[Record]]:
        return run_trusted(plan, plan.runs, source, Setting(group_seconds=1.5))

    return run


def pids(records) -> set[float]:  # type: ignore[no-untyped-def]
    """Return the process ids of the ranks that run the next program."""
    return {record.leaves["total"].item() for record in records(PIDS)[0]}


def test_programs_share_a_group(records) -> None:  # type: ignore[no-untyped-def]
    ranks = pids(records)
    assert len(ranks) == 2
    [[first, _], _] = records(RING_REFERENCE.replace("return x", "return x + 1"))
    assert first.leaves["total"].item() == 4
    assert pids(records) == ranks
    assert {record.status for record in records("def total(y): ...\n")[0]} == {"not_loaded"}
    assert [record.status for ranks in records(RING_REFERENCE) for record in ranks] == ["ok"] * 4


@pytest.mark.parametrize("leftover", LEFTOVERS)
def test_what_a_program_leaves_behind_ends_its_group(records, leftover: str) -> None:  # type: ignore[no-untyped-def]
    ranks = pids(records)
    assert pids(records) == ranks
    records(HEAD + LEFTOVERS[leftover])
    assert pids(records).isdisjoint(ranks)
    assert [record.status for ranks in records(RING_REFERENCE) for record in ranks] == ["ok"] * 4
