"""Batches on a local Ray: `memory` grades many submissions with a fake sandbox, `rates` measures 1, 2 and 4 workers.

python -m tests.bench.cluster memory [--count 100000]
python -m tests.bench.cluster rates [--count 300]
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import partial
from pathlib import Path
from unittest.mock import patch

from tasks.load import find_task
from tests.graders.build import REFERENCE, files_of_mean, write_task

TASK = "ppo_clip_loss"
SEED = "5"
MAIN = "from interviewer.cli.main import main; main()"
SAMPLE_SECONDS = 2.0


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def memory(count: int) -> None:
    """Grade this many submissions with a fake sandbox, and print the memory of this process and of Ray's processes."""
    from interviewer.cli.batch import ray_cluster
    from interviewer.cli.group import run
    from tests.cli.batch.replay import ReplayNode

    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as folder:
        os.environ["INTERVIEWER_HOME"] = home
        files = files_of_mean()
        files["task.toml"] = files["task.toml"].replace("wall_seconds = 10", "wall_seconds = 60")
        task = write_task(Path(home) / "tasks", files)
        for number in range(count):
            (Path(folder) / f"{number:06}.py").write_text(f"# {number:06}\n{REFERENCE}")
        say(f"{count} submissions of {len(REFERENCE)} bytes, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        path = Path(home) / "out.csv"
        words = ["grade-all", task.name, folder, "--on", "ray", "--workers", "1", "--seed", SEED, "--csv", str(path)]
        began = time.monotonic()
        with (
            patch.object(ray_cluster, "RayNodes", partial(ray_cluster.RayNodes, grader=ReplayNode)),
            open(os.devnull, "w") as nowhere,
            open(Path(home) / "errors.txt", "w+") as errors,
            sampled(path),
            redirect_stdout(nowhere),
            redirect_stderr(errors),
        ):
            code = run([*words, "--json"])
        seconds = time.monotonic() - began
        rows = path.read_text(encoding="utf-8-sig").splitlines()[1:]
        assert code == 0, (Path(home) / "errors.txt").read_text()[-2000:]
        assert len(rows) == count
        assert all(row.split(",")[1] == "passed" for row in rows)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    say(f"{count} passed in {seconds:.0f} s, {count / seconds:.0f} per second; this process: at most {most:.0f} MiB")


@contextmanager
def sampled(path: Path) -> Iterator[None]:
    """Print regularly how much memory this process and its descendants use."""
    end, out = threading.Event(), sys.stdout

    def watch() -> None:
        told = -1
        while not end.wait(SAMPLE_SECONDS):
            rows = 0
            with suppress(OSError):
                rows = path.read_bytes().count(b"\n")
            if rows // 10_000 > told:
                told = rows // 10_000
                own, others = memory_mib()
                out.write(f"{rows:7} rows: this process {own:5.0f} MiB, Ray's processes {others:5.0f} MiB\n")
                out.flush()

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()


def memory_mib() -> tuple[float, float]:
    """Return the memory of this process and of all its descendants; shared pages are counted once."""
    parents, used = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError, ValueError):
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            lines = (folder / "smaps_rollup").read_text().splitlines()
            used[int(folder.name)] = next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
    family = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in family and pid not in family}:
        family |= more
    return used.get(os.getpid(), 0.0), sum(used.get(pid, 0.0) for pid in family - {os.getpid()})


def rates(count: int) -> None:
    """Grade the same submissions in Docker on this machine and with 1, 2 and 4 workers, and print the rates."""
    task = find_task(TASK)
    programs = [task.reference, *(mistake.source for mistake in task.mistakes)]
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            (Path(folder) / f"{number:06}.py").write_text(f"# {number}\n{programs[number % len(programs)]}")
        say(f"{count} submissions of {TASK}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        say("| where | until the first result (s) | per second | 10,000 grades (min) |")
        say("|---|---|---|---|")
        ways: list[tuple[str, list[str]]] = [("this machine, without Ray", [])]
        for workers in ("1", "2", "4"):
            ways += [(f"Ray, workers: {workers}", ["--on", "ray", "--workers", workers])]
        for name, options in ways:
            first, per_second = timed([TASK, folder, "--seed", SEED, "--sandbox", "docker", *options], home)
            say(f"| {name} | {first:.1f} | {per_second:.1f} | {10_000 / per_second / 60:.1f} |")


def timed(words: list[str], home: str) -> tuple[float, float]:
    """Return the seconds until a batch's first result, and its results per second from then on."""
    environment = {**os.environ, "INTERVIEWER_HOME": home}
    began = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-c", MAIN, "grade-all", *words], stdout=subprocess.PIPE, text=True, env=environment
    ) as app:
        assert app.stdout
        arrivals = [time.monotonic() for line in app.stdout if line[:6].isdigit()]
    assert app.returncode == 1, app.returncode
    return arrivals[0] - began, (len(arrivals) - 1) / (arrivals[-1] - arrivals[0])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.cluster")
    parser.add_argument("what", choices=["memory", "rates"])
    parser.add_argument("--count", type=int)
    given = parser.parse_args()
    if given.what == "memory":
        memory(given.count or 100_000)
    else:
        rates(given.count or 300)


if __name__ == "__main__":
    main()
