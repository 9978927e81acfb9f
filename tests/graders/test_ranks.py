"""Ranks that do not meet in a collective are named, and a failed run does not affect the next one."""

from __future__ import annotations

import multiprocessing
import os
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch
import torch.distributed as dist

from graders.grade import grade
from graders.runner.collectives import Call, CallLog
from graders.runner.group import Rendezvous
from graders.verdict import Report, Verdict
from tasks.task import Task
from tests.graders.build import RING_REFERENCE, ForkSandbox, files_of_ring, make_task
from tests.recorded import grader

pytestmark = [pytest.mark.ranks, pytest.mark.recorded(subject_of=grader)]

HEAD = "import os, time, torch\nimport torch.distributed as dist\n\n\ndef total(x):\n    rank = dist.get_rank()\n"
REST = "    x = x.clone()\n    dist.all_reduce(x)\n    return x\n"


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return make_task(tmp_path, files_of_ring())


def report_of(task: Task, body: str) -> Report:
    return grade(task, HEAD + body, ForkSandbox())


def test_a_right_program_passes_and_a_mistake_is_named(task: Task) -> None:
    assert grade(task, RING_REFERENCE, ForkSandbox()).verdict is Verdict.PASSED
    report = report_of(task, "    return x + 0\n")
    assert report.cases[0].message.startswith("rank 0: total[0]: expected 3, got 1 (off by 2")
    assert report.mistake is not None
    assert report.mistake.id == "kept_local"


def test_a_rank_that_fails_with_right_outputs_is_not_said_to_have_wrong_ones(task: Task) -> None:
    body = "    y = x.clone()\n    dist.all_reduce(y)\n    if rank == 1: x.add_(1)\n    return y\n"
    report = report_of(task, body)
    assert [case.verdict for case in report.cases] == [Verdict.MUTATED_INPUT] * 2
    assert report.symptoms[0].id == "rank_0"
    assert "outputs" not in report.symptoms[0].says


def test_a_statement_about_the_failing_ranks_says_so(task: Task) -> None:
    report = report_of(task, "    x = x.clone()\n    dist.all_reduce(x)\n    return -x if rank else x\n")
    assert [symptom.id for symptom in report.symptoms] == ["rank_0", "negated"]
    assert "failing rank" in report.symptoms[1].says


# How a rank deviates, the verdict, and what the message must name.
NAMED_AT_ONCE = {
    "shape": (
        "    if rank == 1: x = torch.ones(7)\n",
        "deadlocked",
        "rank 0 calls all_reduce #1 of [1] float32, line 9; rank 1 calls all_reduce #1 of [7] float32, line 9",
    ),
    "dtype": ("    if rank == 1: x = x.double()\n", "deadlocked", "rank 1 calls all_reduce #1 of [1] float64"),
    "operation": (
        "    if rank == 1: dist.broadcast(x.clone(), 0)\n",
        "deadlocked",
        "rank 0 calls all_reduce #1 of [1] float32, line 9; rank 1 calls broadcast #1 of [1] float32 from rank 0",
    ),
    "root": (
        "    dist.broadcast(x.clone(), rank)\n",
        "deadlocked",
        "rank 1 calls broadcast #1 of [1] float32 from rank 1",
    ),
    "order": (
        "    y = torch.ones(2)\n    for z in ((x, y) if rank else (y, x)): dist.all_reduce(z.clone())\n",
        "deadlocked",
        "rank 0 calls all_reduce #1 of [2] float32, line 8; rank 1 calls all_reduce #1 of [1] float32, line 8",
    ),
    "skipped": (
        "    if rank == 1: return x\n",
        "deadlocked",
        "rank 0 waited in all_reduce #1 of [1] float32, line 9; rank 1 finished",
    ),
    "one more under a condition": (
        "    dist.all_reduce(x.clone())\n    if rank == 1: dist.all_reduce(x.clone())\n",
        "deadlocked",
        "rank 0 finished; rank 1 waited in all_reduce #3 of [1] float32, line 10",
    ),
    "barrier alone": (
        "    if rank == 0: dist.barrier(); return x\n    return x\n",
        "deadlocked",
        "rank 0 waited in barrier #1",
    ),
    "broadcast without its source": (
        "    if rank == 1: dist.broadcast(x.clone(), 0)\n    return x\n",
        "deadlocked",
        "rank 1 waited in broadcast #1 of [1] float32 from rank 0, line 7",
    ),
    "waited for later": (
        "    if rank == 0:\n        work = dist.all_reduce(x.clone(), async_op=True)\n"
        "        work.wait()\n    return x\n",
        "deadlocked",
        "rank 0 waited in all_reduce #1 of [1] float32, line 8; rank 1 finished",
    ),
    "inside autograd": (
        "    from torch.nn.parallel import DistributedDataParallel as D\n    m = D(torch.nn.Linear(1, 1))\n"
        "    if rank == 0: m(x[:1, None]).sum().backward()\n    return x\n",
        "deadlocked",
        "all_reduce #",
    ),
    "exit": (
        "    if rank == 1: os._exit(3)\n",
        "raised",
        "rank 1 exited the process (exit code 3); rank 0 waited in all_reduce #1 of [1] float32, line 9",
    ),
    "exception": (
        "    if rank == 1: raise KeyError('lost')\n",
        "raised",
        "rank 1 raised KeyError in line 7: 'lost'; rank 0 waited in all_reduce #1 of [1] float32, line 9",
    ),
    "size of a message": (
        "    if rank == 1: dist.send(torch.ones(9), 0)\n    else: dist.recv(x.clone(), 1)\n",
        "deadlocked",
        "in recv #1 of [1] float32 from rank 1, line 8",
    ),
    "its own arguments": (
        "    dist.all_gather([x], x)\n",
        "raised",
        "rank 0 raised",
    ),
}


@pytest.mark.parametrize("fault", NAMED_AT_ONCE)
def test_a_fault_is_named_at_once(task: Task, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    body, verdict, says = NAMED_AT_ONCE[fault]
    # Longer than any test may take, so a test that waits for a timeout fails.
    monkeypatch.setattr("graders.plan.GROUP_SECONDS_MAX", 10.0**6)
    patient = replace(task, limits=replace(task.limits, wall_seconds=10.0**8))
    report = report_of(patient, body + REST)
    assert [case.verdict.value for case in report.cases] == [verdict] * 2
    # On a busy machine, a rank may have begun its call without being seen to wait in it when time is up.
    message = re.sub(r"never returned \(its last collective was ([^)]*)\)", r"waited in \1", report.cases[0].message)
    assert says in message
    assert "gloo/" not in message


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("    if rank == 1: time.sleep(60)\n", "rank 1 never returned (it called no collective)"),
        (
            "    dist.all_reduce(x.clone())\n    while rank == 1: pass\n",
            "rank 0 waited in all_reduce #2 of [1] float32, line 10; rank 1 never returned (its last collective was"
            " all_reduce #1 of [1] float32, line 7)",
        ),
        (
            "    y = x.clone()\n    dist.recv(y, 1 - rank)\n",
            "rank 0 waited in recv #1 of [1] float32 from rank 1, line 8; rank 1 waited in recv #1 of [1] float32 from",
        ),
    ],
)
def test_what_is_not_certain_waits_for_the_timeout(
    task: Task, body: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graders.plan.GROUP_SECONDS_MAX", 2.0)
    report = report_of(task, body + REST)
    assert [case.verdict for case in report.cases] == [Verdict.DEADLOCKED] * 2
    assert says in report.cases[0].message


def meet(rank: int, folder: str, patience_seconds: float, late_seconds: float) -> None:
    """Join a group of two, one of them late, and call a collective that the other one never calls."""
    time.sleep(late_seconds * rank)
    Rendezvous(2, folder).meet(rank, patience_seconds)
    with pytest.raises(RuntimeError, match=f"Timed out waiting {patience_seconds * 1000:.0f}ms"):
        dist.all_reduce(torch.ones(1)) if rank == 0 else time.sleep(60)
    os._exit(0)


def test_connecting_may_take_longer_than_a_call(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    ranks = [context.Process(target=meet, args=(rank, str(tmp_path), 0.3, 1.5)) for rank in range(2)]
    for rank in ranks:
        rank.start()
    ranks[0].join(60)
    ranks[1].kill()
    ranks[1].join()
    assert ranks[0].exitcode == 0


def test_two_sizes_among_four_ranks_name_the_two_ranks(tmp_path: Path) -> None:
    files = files_of_ring()
    files["cases.py"] = files["cases.py"].replace("world=2", "world=4").replace("range(2)", "range(4)")
    ones = "(torch.tensor([1.0]), torch.tensor([2.0]))"
    files["cases.py"] = files["cases.py"].replace(ones, "(*[torch.tensor([0.75])] * 4,)")
    task = make_task(tmp_path, files)
    assert grade(task, RING_REFERENCE, ForkSandbox()).verdict is Verdict.PASSED
    report = report_of(task, "    if rank == 2: x = torch.ones(5, 5)\n" + REST)
    assert "rank 2 calls all_reduce #1 of [5, 5] float32, line 9" in report.cases[0].message
    groups = "    pair = dist.new_group([0, 3])\n    if rank == 3: dist.barrier(pair)\n    return x\n"
    assert "rank 3 waited in barrier #1 among ranks 0, 3, line 8" in report_of(task, groups).cases[0].message


def test_equal_calls_match_even_if_the_log_does_not_know_their_dtype() -> None:
    log = CallLog(2)
    for dtype in ("float8_e5m2", "bits16"):
        call = Call("allreduce_", 1, 0, (0, 1), dtype, (4,), 4, -1, 12)
        log.begin(0, 0, call)
        log.begin(1, 0, call)
        assert log.mismatch(1, call) == ""
    assert "float8_e5m2" in log.mismatch(1, replace(call, dtype="float8_e5m2"))


def test_an_async_call_that_nobody_waits_for_is_told(task: Task) -> None:
    report = report_of(task, "    y = x.clone()\n    dist.all_reduce(y, async_op=True)\n    return x + 0\n")
    assert report.verdict is Verdict.WRONG_VALUE
    assert "rank 1 never waited for all_reduce #1 of [1] float32, line 8" in report.stdout
    waits = "    x = x.clone()\n    dist.all_reduce(x, async_op=True).wait()\n    return x\n"
    report = report_of(task, waits)
    assert (report.verdict, report.stdout) == (Verdict.PASSED, "")


@pytest.mark.parametrize(
    "tampering",
    [
        "    from graders.runner.recorder import _recorders\n    memory = _recorders[0]._log._memory\n"
        "    memory[:] = os.urandom(len(memory))\n",
        "    from graders.runner.recorder import _recorders\n    log = _recorders[0]._log\n    log.wait(1 - rank, 0)\n"
        "    log._memory[:] = b'\\xff' * len(log._memory)\n",
        "    import glob\n    for name in glob.glob('/tmp/tmp*/store'): open(name, 'wb').write(b'junk')\n",
    ],
)
def test_tampering_with_the_log_or_the_store_gives_nothing(task: Task, tampering: str) -> None:
    right = report_of(task, tampering + REST)
    assert right.verdict in (Verdict.PASSED, Verdict.DEADLOCKED)
    stray = report_of(task, tampering + "    if rank == 1: return x\n" + REST)
    # The rank whose connection breaks first decides which of the two it is.
    assert {case.verdict for case in stray.cases} <= {Verdict.DEADLOCKED, Verdict.RAISED}
    assert all(len(case.message) < 2000 for case in stray.cases)


def test_a_rank_cannot_fit_a_forged_call_into_a_pass(task: Task) -> None:
    forged = (
        "    from graders.runner.recorder import _recorders\n    log = _recorders[0]._log\n"
        "    if rank == 1:\n        dist.all_reduce(x.clone())\n        log.clear()\n        return x\n"
    )
    assert report_of(task, forged + REST).verdict is Verdict.WRONG_VALUE


def test_a_harness_counts_the_collectives_of_a_run(tmp_path: Path) -> None:
    files = files_of_ring()
    files["harness.py"] = "def drive(entry, args, made):\n    return {'total': entry(args['x']), 'made': len(made)}\n"
    files["cases.py"] = files["cases.py"].replace("expected=torch.tensor([3.0])", "expected={'total': 3.0, 'made': 1}")
    files["cases.py"] = files["cases.py"].replace("=1}", "=1}").partition("def expected")[0]
    files["cases.py"] = files["cases.py"].replace("'total': 3.0", "'total': torch.tensor([3.0])")
    task = make_task(tmp_path, files)
    assert grade(task, RING_REFERENCE, ForkSandbox()).verdict is Verdict.PASSED
    twice = report_of(task, "    dist.all_reduce(x.clone())\n" + REST)
    assert [case.verdict for case in twice.cases] == [Verdict.WRONG_VALUE] * 2
    assert twice.cases[1].message.startswith("rank 0: made: expected 1, got 2")


def test_a_failure_in_one_run_leaves_the_next_alone(task: Task) -> None:
    report = report_of(task, "    if len(x) == 1 and rank == 1: os._exit(1)\n" + REST)
    assert [case.verdict for case in report.cases] == [Verdict.RAISED, Verdict.PASSED]


def test_a_rank_that_forges_frames_is_caught(task: Task) -> None:
    junk = "    for fd in range(3, 200):\n        try: os.write(fd, b'x' * 64)\n        except OSError: pass\n"
    report = report_of(task, junk + REST)
    assert {case.verdict for case in report.cases} == {Verdict.FORBIDDEN}


def test_a_file_that_does_not_load_is_told_once(task: Task) -> None:
    report = grade(task, "def total(y): ...\n", ForkSandbox())
    assert {case.verdict for case in report.cases} == {Verdict.NOT_LOADED}
    assert "`x` is missing; `y` is unexpected" in report.cases[0].message
