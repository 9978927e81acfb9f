"""Prints the tables and writes bench.json; the compared methods alternate, so that all see the same load."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from itertools import repeat
from pathlib import Path
from typing import Any

import docker
import torch

from graders.client import GraderClient
from graders.plan import make_plan
from graders.reference import expectations
from graders.verdict import Report, Verdict
from tasks.load import find_task
from tasks.task import Task
from tests.bench import app, command, forgeries, model, peer
from tests.bench.tables import batch_ratios, named, percentiles, ratios, table
from tests.bench.ways import bare, bare_again, cold

TASKS = ("ppo_clip_loss", "gae")
WARM_UPS = 3
IN_A_ROW, BATCH_SEED = 10, 5
READY_SECONDS = 60.0
SESSION_RUNS = 3  # closing one takes ten seconds
Samples = dict[str, list[float]]


def timed_ms(work: Callable[[Task], None], task: Task) -> float:
    """Return the number of milliseconds that one call takes."""
    began = time.perf_counter()
    work(task)
    return (time.perf_counter() - began) * 1e3


def wait_until_warm(client: GraderClient) -> tuple[float, list[int]]:
    """Return the milliseconds until a cell was ready, and the bytes that each cell uses."""
    began = time.perf_counter()
    while not (cells := client.warm_cells()):
        assert time.perf_counter() - began < READY_SECONDS, "no cell became ready"
        time.sleep(0.02)
    return (time.perf_counter() - began) * 1e3, cells


def measure(client: GraderClient, task: Task, runs: int, slow_runs: int, sessions: dict[str, peer.Open]) -> Samples:
    """Return the milliseconds of each method, and the idle cells' MiB; the first rounds are not counted."""

    def submit(task: Task) -> None:
        report = client.grade(task.id, task.reference, sandbox="docker")
        assert report.verdict is Verdict.PASSED, report
        note(inside=report.seconds["inside"] * 1e3, wait=report.seconds["wait"] * 1e3)

    def note(**values: float) -> None:
        for name, value in values.items():
            samples.setdefault(name, []).append(value)

    samples: Samples = {}
    wait_until_warm(client)
    for turn in range(-WARM_UPS, runs):
        note(warm=timed_ms(submit, task))
        # Wait for the refill, also because the bare run would otherwise share the cores with it.
        refill_ms, cells = wait_until_warm(client)
        note(refill=refill_ms, mib=statistics.fmean(cells) / 2**20)
        note(bare=timed_ms(bare, task))
        if -1 <= turn < slow_runs:
            note(cold=timed_ms(cold, task))
            if "pool" in sessions:
                note(**{f"pool_{name}": value for name, value in peer.timed(task, sessions["pool"]).items()})
        if 0 <= turn < min(SESSION_RUNS, slow_runs) and "own" in sessions:
            note(**{f"own_{name}": value for name, value in peer.timed(task, sessions["own"]).items()})
        if turn == -1:
            samples.clear()
    return samples


def measure_batch(client: GraderClient, task: Task, rounds: int) -> Samples:
    """Return the milliseconds per verdict of each method, for verdicts in a row; the first round is not counted."""
    plan = make_plan(task, BATCH_SEED)
    rights = expectations(plan)

    def submit_all(task: Task) -> None:
        sources = repeat(task.reference, IN_A_ROW)
        for report in client.grade_many(task.id, sources, device="cpu", sandbox="docker", image="", seed=BATCH_SEED):
            assert isinstance(report, Report), report
            assert report.verdict is Verdict.PASSED, report
            assert report.isolation.startswith("shared container"), report.isolation

    def bare_all(task: Task) -> None:
        for _ in range(IN_A_ROW):
            bare(task)

    def bare_again_all(task: Task) -> None:
        for _ in range(IN_A_ROW):
            bare_again(plan, rights)

    samples: Samples = {"batch": [], "bare_row": [], "bare_same": []}
    for turn in range(-1, rounds):
        for name, way in zip(samples, (submit_all, bare_all, bare_again_all), strict=True):
            milliseconds = timed_ms(way, task) / IN_A_ROW
            samples[name] += [milliseconds] if turn >= 0 else []
    return samples


def machine() -> dict[str, Any]:
    """Return the conditions that the figures depend on."""
    words = ["docker", "version", "--format", "{{.Server.Version}}"]
    engine = subprocess.run(words, capture_output=True, text=True, check=False).stdout if shutil.which("docker") else ""
    return {
        "date": time.strftime("%Y-%m-%d"),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "docker": engine.strip() or "none",
        "python": platform.python_version(),
        "torch": torch.__version__,
    }


def open_peer(stack: ExitStack) -> tuple[dict[str, peer.Open], str]:
    """Return the function that opens llm-sandbox's sessions until the stack is closed, or None and the reason."""
    why = peer.missing()
    if not why:
        try:
            return stack.enter_context(peer.peer()), ""
        except docker.errors.DockerException as error:
            why = f"its image could not be made: {error}"
    return {}, f"llm-sandbox is left out: {why}"


def measure_sandbox(given: argparse.Namespace, figures: dict[str, Any], client: GraderClient, stack: ExitStack) -> None:
    """Add the figures of verdicts and forgeries."""
    sessions, figures["left_out"] = open_peer(stack)
    if sessions:
        figures["machine"][peer.NAME] = peer.version()
    for task_id in TASKS:
        values = measure(client, find_task(task_id), given.runs, given.cold_runs, sessions)
        measured = {name: percentiles(several) for name, several in values.items()}
        figures["tasks"][task_id], figures["ratios"][task_id] = named(measured), ratios(measured)
        per_second = 1e3 / (measured["warm"]["p50"] + measured["refill"]["p50"])
        figures["grades_per_second"][task_id] = round(per_second, 2)
    figures["forgeries"] += forgeries.counts(client, sessions.get("stopping"))


def measure_batches(given: argparse.Namespace, figures: dict[str, Any], client: GraderClient) -> None:
    """Add the figures of batches in shared containers."""
    for task_id in TASKS:
        values = measure_batch(client, find_task(task_id), max(given.runs // IN_A_ROW, 1))
        measured = {name: percentiles(several) for name, several in values.items()}
        figures["tasks"].setdefault(task_id, {}).update(named(measured))
        figures["ratios"].setdefault(task_id, {}).update(batch_ratios(measured))


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--cold-runs", type=int, default=10, help="of each way that takes a second and more")
    parser.add_argument("--file", type=Path, default=Path("bench.json"))
    parser.add_argument("--starts", type=int, default=10, help="of the app and of what it is compared with")
    parser.add_argument("--only", choices=["app", "command", "sandbox", "batch", "model"])
    given = parser.parse_args()
    figures: dict[str, Any] = {"machine": machine(), "tasks": {}, "ratios": {}, "grades_per_second": {}}
    figures |= {"forgeries": [], "left_out": ""}
    if given.only in (None, "app"):
        figures["app"] = app.measure(given.starts)
    if given.only in (None, "command"):
        figures["command"] = command.measure(given.starts)
    if given.only in (None, "model"):
        figures["model"] = model.measure()
    if given.only in (None, "sandbox"):
        torch.set_num_threads(1)
        with ExitStack() as stack:
            client = GraderClient()
            stack.callback(client.close)
            client.start("docker")
            measure_sandbox(given, figures, client, stack)
    if given.only in (None, "batch"):
        torch.set_num_threads(1)
        with closing(GraderClient()) as client:
            measure_batches(given, figures, client)
    figures["machine"]["load_after"] = os.getloadavg()[0]
    given.file.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    parts = [table(figures), figures["left_out"], str(figures["machine"])]
    sys.stdout.write("\n\n".join(part for part in parts if part) + "\n")


if __name__ == "__main__":
    main()
