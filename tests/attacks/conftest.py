"""Runs the attacks in every sandbox, and fails if the machine is not the same afterward."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import pytest

from graders.grade import grade
from graders.verdict import Report, Verdict
from sandbox.docker.sandbox import DockerSandbox
from sandbox.job import OpeningSandbox
from sandbox.process import levels
from sandbox.process.sandbox import ProcessSandbox
from tasks.load import find_task
from tasks.task import Limits, Task
from tests.attacks import host
from tests.attacks.ahead import AT_ONCE, OneCell, Row, SharedContainers
from tests.attacks.load import PROMISES, Program, source_of
from tests.conftest import set_clean_environment
from tests.graders.build import files_of_ring, make_task
from tests.recorded import why_skipped
from tests.sandbox.conftest import skip_without

SECRET = "sk-attack-me-4f6e1c"
MEMORY_MIB = 1024
# Every gate tries these at each level that isolates, because that is what a level is for. The others meet the same
# comparison outside.
EVERYWHERE = ("escape",)
SHUT_IN = ("landlock", "bubblewrap")
IN_DOCKER = ("docker", "shared")
SHIPPED = ("ppo_clip_loss", "gae", "shrinking_learning_rate")
SPEAKS_FOR_OTHERS = 58
IS_FULL = os.environ.get("INTERVIEWER_ATTACKS") == "all"
PARENT_GROWTH_KIB = 600 * 2**10


@pytest.fixture(scope="package", autouse=True)
def clean_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Set the environment once for all attacks: cells of later tests start in threads, which read the environment."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        set_clean_environment(monkeypatch, tmp_path_factory.mktemp("home"))
        yield


@dataclass(frozen=True)
class Level:
    """One kind of sandbox, and what it promises."""

    make: Callable[[], OpeningSandbox]
    promises: frozenset[str]


def on_process(level: levels.Level) -> Callable[[], OpeningSandbox]:
    """Return a function that creates the sandbox without containers, at that level."""
    return lambda: ProcessSandbox(sys.executable, level)


# To add a sandbox, add one line here.
LEVELS = {
    "plain": Level(on_process(levels.Level.PLAIN), frozenset({"shared"})),
    "landlock": Level(on_process(levels.Level.LANDLOCK), frozenset({"files", "network", "kernel"})),
    "bubblewrap": Level(on_process(levels.Level.BUBBLEWRAP), frozenset(PROMISES) - {"totals"}),
    "docker": Level(DockerSandbox, frozenset(PROMISES)),
    "shared": Level(SharedContainers, frozenset(PROMISES)),
}


@dataclass(frozen=True)
class Graded:
    """The report on a program, and how long its cell ran after it received the payload."""

    report: Report
    took_seconds: float


class Field:
    """Grade the programs of one level in the order of their tests, several at a time."""

    def __init__(self, row: Row, tasks: dict[str, Task], programs: list[Program]) -> None:
        self._row, self._tasks = row, tasks
        self._left = Counter(program.task for program in programs)
        self._threads = ThreadPoolExecutor(AT_ONCE)
        self._found: dict[str, Future[Graded]] = {
            program.name: self._threads.submit(self._grade, program) for program in programs
        }

    def graded(self, program: Program) -> Graded:
        """Return the outcome of a program."""
        return self._found[program.name].result()

    def close(self) -> None:
        """Wait for what is running, and drop the rest."""
        self._threads.shutdown(cancel_futures=True)

    def _grade(self, program: Program) -> Graded:
        task = self._tasks[program.task]
        source = source_of(program, task.entry, task.reference)
        with self._row.turn:
            self._left[program.task] -= 1
            cell = OneCell(self._row, self._left[program.task])
            report = grade(replace(task, limits=Limits(program.wall_seconds, MEMORY_MIB)), source, cell)
        return Graded(report, cell.took_seconds)


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=[pytest.mark.docker] * (name in IN_DOCKER)) for name in LEVELS]
)
def level(request: pytest.FixtureRequest) -> str:
    if request.param not in IN_DOCKER:
        skip_without(levels.Level(request.param))
    return str(request.param)


@pytest.fixture(scope="module")
def row(level: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Row]:
    """Yield the level's cells; afterward, the machine must be unchanged and this process not much larger."""
    cells = tmp_path_factory.mktemp("cells")
    (cells / "precious").mkdir(mode=0o750)
    (cells / "precious" / "file").write_text("precious")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(cells))
        patch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
        keyholder = subprocess.Popen(["sleep", "600"], env={"OPENAI_API_KEY": SECRET, "PATH": os.environ["PATH"]})
        before, ownerless_bytes = host.look(cells), host.ownerless_memory_bytes()
        size_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        row = Row(LEVELS[level].make())
        try:
            yield row
        finally:
            row.close()
            keyholder.kill()
            keyholder.wait()
        assert host.own_containers() == []
        assert host.cell_processes(cells) == []
        assert host.look(cells) == before
        assert (cells / "precious").stat().st_mode & 0o777 == 0o750
        assert (cells / "precious" / "file").read_text() == "precious"
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - size_kib < PARENT_GROWTH_KIB
        assert host.ownerless_memory_bytes() - ownerless_bytes < host.MEMORY_MARGIN_BYTES


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Task]:
    """Return the tasks that programs are submitted for, by the name that the programs use."""
    shipped = {name: find_task(name) for name in SHIPPED}
    seeded = files_of_ring()
    seeded["cases.py"] = seeded["cases.py"].replace("world=2", "world=2, has_own_hash_seeds=True")
    made = {"ring": files_of_ring(), "seeded_ring": seeded}
    return {**shipped, **{name: make_task(tmp_path_factory.mktemp(name), files) for name, files in made.items()}}


@pytest.fixture(scope="module")
def field(request: pytest.FixtureRequest, level: str, row: Row, tasks: dict[str, Task]) -> Iterator[Field]:
    """Yield the runner for every program that a test of this session needs at this level."""
    chosen: list[Program] = []
    for item in request.session.items:
        params: dict[str, Any] = getattr(getattr(item, "callspec", None), "params", {})
        if params.get("level") == level and "program" in params and not why_skipped(item):
            chosen.append(params["program"])
    field = Field(row, tasks, [program for program in chosen if not withheld(program, level)])
    yield field
    field.close()


def withheld(program: Program, level: str) -> str:
    """Return why a program is not run at this level, or nothing."""
    missing = [PROMISES[name] for name in program.needs if name not in LEVELS[level].promises]
    if missing:
        return f"at the level {level} {missing[0]}"
    if program.family == "neighbor" and level != "shared":
        return f"at the level {level} a submission has no neighbor"
    # Ranks report for themselves on pipes, which is the one place where a forged verdict once passed.
    is_chosen = not program.is_variant or program.line == SPEAKS_FOR_OTHERS
    if Verdict.PASSED in program.verdicts and program.family not in EVERYWHERE:
        is_chosen = sum(program.name.encode()) % 3 == 0
    is_here = level in IN_DOCKER or (level in SHUT_IN and program.family in EVERYWHERE)
    is_wanted = IS_FULL or (is_chosen and is_here)
    return (
        ""
        if is_wanted
        else "make attacks tries it here; the gate one attack of each line in Docker and a third of the twins"
    )
