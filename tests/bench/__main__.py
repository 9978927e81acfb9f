"""Prints one table of latencies and writes bench.json; the compared ways take turns, so that all see the same load."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import torch

from graders.client import GraderClient
from graders.expect import expectations
from graders.judge import judge
from graders.plan import Plan, Setting, make_plan, order, payload
from graders.program import runner_program
from graders.trusted import by_run, run_trusted
from graders.verdict import Verdict
from graders.wire import Reader
from sandbox.image import image_tag
from tasks.load import find_task
from tasks.task import Task

TASKS = ("ppo_clip_loss", "gae")
WARM_UPS = 3
READY_SECONDS = 60.0
BYTES_MAX = 2**20
PYTHON = "/opt/sandbox/bin/python"
FLAGS = (
    "--rm -i --network none --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges "
    "--user 65534:65534 --pids-limit 128 --memory 2g --memory-swap 2g --init --env OMP_NUM_THREADS=1"
).split()
LEFT_OUT = "llm-sandbox: not measured; its session needs an image of its own kind, see docs/benchmarks.md"


def bare(task: Task) -> None:
    """Do all the work of a grade in this process: cases, expected values, the submission, the comparison."""
    plan = make_plan(task, time.time_ns() % 2**31)
    rights = expectations(plan)
    records = run_trusted(plan, plan.runs, task.reference, Setting())
    check(plan, [one.outcome.verdict for one in judge(plan, rights, records, None)])


def cold(task: Task) -> None:
    """Do the same with the submission in a container made by `docker run`."""
    plan = make_plan(task, time.time_ns() % 2**31)
    rights = expectations(plan)
    words = ["docker", "run", *FLAGS, "--entrypoint", PYTHON, image_tag(), "-I", "-c", runner_program()]
    sent = payload(plan, plan.runs, task.reference, Setting(bytes_max=BYTES_MAX))
    done = subprocess.run(words, input=sent, capture_output=True, check=True)
    reader = Reader(order(plan.runs), BYTES_MAX)
    reader.feed(done.stdout)
    records = by_run(reader.records, len(plan.runs))
    check(plan, [one.outcome.verdict for one in judge(plan, rights, records, None)])


def check(plan: Plan, verdicts: list[Verdict]) -> None:
    """Stop the measurement when a right submission did not pass."""
    assert set(verdicts) == {Verdict.PASSED}, f"{plan.task.id}: seed {plan.seed}: {verdicts}"


def timed_ms(work: Any, *arguments: object) -> float:
    """Return how many milliseconds one call takes."""
    began = time.perf_counter()
    work(*arguments)
    return (time.perf_counter() - began) * 1e3


def wait_until_warm(client: GraderClient) -> tuple[float, list[int]]:
    """Return the milliseconds until a cell was ready, and what each cell holds in bytes."""
    began = time.perf_counter()
    while not (cells := client.warm_cells()):
        assert time.perf_counter() - began < READY_SECONDS, "no cell became ready"
        time.sleep(0.02)
    return (time.perf_counter() - began) * 1e3, cells


def measure(client: GraderClient, task: Task, runs: int, cold_runs: int) -> dict[str, list[float]]:
    """Return milliseconds of each way, and the idle cells' MiB; the first rounds are not counted."""

    def submit() -> None:
        report = client.grade(task.id, task.reference, sandbox="docker")
        assert report.verdict is Verdict.PASSED, report
        found["inside"].append(report.seconds["inside"] * 1e3)
        found["wait"].append(report.seconds["wait"] * 1e3)

    found: dict[str, list[float]] = {name: [] for name in ("warm", "bare", "cold", "refill", "mib", "inside", "wait")}
    wait_until_warm(client)
    for turn in range(WARM_UPS + runs):
        found["warm"].append(timed_ms(submit))
        # Also because the bare run would share the cores with the refill.
        refill_ms, cells = wait_until_warm(client)
        found["refill"].append(refill_ms)
        found["mib"] += [cell / 2**20 for cell in cells]
        found["bare"].append(timed_ms(bare, task))
        if turn == WARM_UPS:
            found |= {name: values[-1:] for name, values in found.items()}
        if turn >= WARM_UPS and len(found["cold"]) < cold_runs:
            found["cold"].append(timed_ms(cold, task))
    return found


def percentiles(values: list[float]) -> dict[str, float]:
    """Return p50, p95 and p99 with the count."""
    cuts = statistics.quantiles(values, n=100, method="inclusive")
    return {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98], "n": len(values)}


def machine() -> dict[str, Any]:
    """Return what the figures depend on."""
    words = ["docker", "version", "--format", "{{.Server.Version}}"]
    engine = subprocess.run(words, capture_output=True, text=True, check=True)
    return {
        "date": time.strftime("%Y-%m-%d"),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "docker": engine.stdout.strip(),
        "python": platform.python_version(),
        "torch": torch.__version__,
    }


def table(figures: dict[str, Any]) -> str:
    """Return the figures as one Markdown table, milliseconds unless it says otherwise."""
    lines = ["| task | what | p50 | p95 | p99 | n |", "|---|---|---|---|---|---|"]
    for task, ways in figures["tasks"].items():
        for name, found in ways.items():
            numbers = " | ".join(f"{found[key]:.1f}" for key in ("p50", "p95", "p99"))
            lines.append(f"| {task} | {name} | {numbers} | {found['n']} |")
    return "\n".join(lines)


NAMES = {
    "warm": "submit to verdict, warm cell (ms)",
    "bare": "the same work bare, one process (ms)",
    "cold": "cold `docker run` (ms)",
    "inside": "of warm: payload to last result byte (ms)",
    "wait": "of warm: the sandbox's own time (ms)",
    "refill": "verdict to next cell ready (ms)",
    "mib": "idle cell (MiB)",
}


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--cold-runs", type=int, default=10)
    parser.add_argument("--file", type=Path, default=Path("bench.json"))
    given = parser.parse_args()
    torch.set_num_threads(1)
    client = GraderClient()
    client.start("docker")
    figures: dict[str, Any] = {"machine": machine(), "tasks": {}, "left_out": LEFT_OUT}
    try:
        for task_id in TASKS:
            found = measure(client, find_task(task_id), given.runs, given.cold_runs)
            figures["tasks"][task_id] = {NAMES[name]: percentiles(values) for name, values in found.items()}
            medians = {name: statistics.median(values) for name, values in found.items()}
            per_second = 1e3 / (medians["warm"] + medians["refill"])
            figures.setdefault("grades_per_second", {})[task_id] = round(per_second, 2)
    finally:
        client.close()
    figures["machine"]["load_after"] = os.getloadavg()[0]
    given.file.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    lines = [table(figures), "", f"grades per second, one cell: {figures['grades_per_second']}", LEFT_OUT]
    sys.stdout.write("\n".join([*lines, str(figures["machine"])]) + "\n")


if __name__ == "__main__":
    main()
