"""Programs of ours share a group of ranks only as long as nothing of one can reach the next."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graders import reference
from graders.reference import run_trusted
from graders.runner.group import Group
from graders.runs import Setting, make_plan
from graders.wire import Record
from tests.graders.build import RING_REFERENCE, files_of_ring, make_task

pytestmark = pytest.mark.ranks

REST = "    x = x.clone()\n    dist.all_reduce(x)\n    return x\n"
HEAD = RING_REFERENCE[: RING_REFERENCE.index("    x = x.clone()")] + "    rank = dist.get_rank()\n"
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


def kept() -> Group | None:
    return reference._kept.get(os.getpid(), {}).get((2, 1.5))


def test_programs_share_a_group(records) -> None:  # type: ignore[no-untyped-def]
    records(RING_REFERENCE)
    group = kept()
    assert group is not None
    [[first, _], _] = records(RING_REFERENCE.replace("return x", "return x + 1"))
    assert first.leaves["total"].item() == 4
    assert {record.status for record in records("def total(y): ...\n")[0]} == {"not_loaded"}
    assert [record.status for ranks in records(RING_REFERENCE) for record in ranks] == ["ok"] * 4


@pytest.mark.parametrize("leftover", LEFTOVERS)
def test_what_a_program_leaves_behind_ends_its_group(records, leftover: str) -> None:  # type: ignore[no-untyped-def]
    records(RING_REFERENCE)
    group = kept()
    records(HEAD + LEFTOVERS[leftover])
    assert kept() is None
    assert [record.status for ranks in records(RING_REFERENCE) for record in ranks] == ["ok"] * 4
    assert kept() not in (None, group)
