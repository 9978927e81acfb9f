"""The grading methods for every engine; each does all the work of one grade and stops if a right program fails."""

from __future__ import annotations

import subprocess
import time

from graders.compare import Expected
from graders.outcomes import judge
from graders.plan import Plan, Setting, make_plan, payload, record_run_indices
from graders.reference import by_run, expectations, run_trusted
from graders.runner import RUNNER_PROGRAM, runner_preparation
from graders.verdict import Verdict
from graders.wire import Reader
from sandbox.docker.image import image_tag
from tasks.task import Task

BYTES_MAX = 2**20
PYTHON = "/opt/sandbox/bin/python"
FLAGS = (
    "--rm -i --network none --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges "
    "--user 65534:65534 --pids-limit 128 --memory 2g --memory-swap 2g --init --env OMP_NUM_THREADS=1"
).split()


def fresh_plan(task: Task) -> Plan:
    """Return a plan that has never been drawn before."""
    return make_plan(task, time.time_ns() % 2**31)


def bare(task: Task) -> None:
    """Do all the work of a grade in this process: cases, expected values, submission, comparison."""
    plan = fresh_plan(task)
    rights = expectations(plan)
    records = run_trusted(plan, plan.runs, task.reference, Setting())
    check(plan, [judged.outcome.verdict for judged in judge(plan, rights, records, None)])


def bare_again(plan: Plan, rights: list[list[Expected]]) -> None:
    """Do the work that a batch repeats, in this process: the submission and the comparison, on given cases."""
    records = run_trusted(plan, plan.runs, plan.task.reference, Setting())
    check(plan, [judged.outcome.verdict for judged in judge(plan, rights, records, None)])


def cold(task: Task) -> None:
    """Do the same work, with the submission in a container started by `docker run`."""
    plan = fresh_plan(task)
    rights = expectations(plan)
    words = [
        "docker",
        "run",
        *FLAGS,
        "--entrypoint",
        PYTHON,
        image_tag(),
        "-I",
        "-c",
        f"{runner_preparation()}{RUNNER_PROGRAM}",
    ]
    sent = payload(plan, plan.runs, task.reference, Setting(bytes_max=BYTES_MAX))
    done = subprocess.run(words, input=sent, capture_output=True, check=True)
    reader = Reader(record_run_indices(plan.runs), BYTES_MAX)
    reader.feed(done.stdout)
    records = by_run(reader.records, len(plan.runs))
    check(plan, [judged.outcome.verdict for judged in judge(plan, rights, records, None)])


def check(plan: Plan, verdicts: list[Verdict]) -> None:
    """Stop the measurement if a right submission did not pass."""
    assert set(verdicts) == {Verdict.PASSED}, f"{plan.task.id}: seed {plan.seed}: {verdicts}"
