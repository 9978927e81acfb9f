"""Every module has a docstring, no module is a catch-all, and the pure modules import nothing heavy at run time."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("interviewer", "graders", "sandbox", "tasks")
BANNED_MODULES = {"utils", "helpers", "common", "core", "base", "manager"}
HEAVY = {"litellm", "torch", "docker", "pydantic", "numpy", "ray"}


def sources() -> list[Path]:
    """Return the project's own modules, without task content."""
    return [
        path
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if package != "tasks" or path.parent == ROOT / "tasks"
    ]


def test_no_module_is_a_catch_all() -> None:
    names = {path.relative_to(ROOT): {path.stem, *path.relative_to(ROOT).parts} for path in sources()}
    assert [str(path) for path, parts in names.items() if parts & BANNED_MODULES] == []


def test_every_module_says_what_it_is() -> None:
    silent = [
        str(path.relative_to(ROOT)) for path in sources() if ast.get_docstring(ast.parse(path.read_text())) is None
    ]
    assert silent == []


@pytest.mark.parametrize(
    "modules",
    [
        "interviewer.session.engine interviewer.session.debrief interviewer.session.scoring",
        "interviewer.bank.load",
        "interviewer.log.store",
        "tasks.load tasks.task",
        "graders.verdict graders.client",
        "sandbox.job sandbox.fake",
        "interviewer.chat.model interviewer.chat.scripted interviewer.interview.participants",
        "interviewer.examiner.offline interviewer.examiner.llm",
        "interviewer.interview.runner interviewer.cli.plain.interview interviewer.interview.context",
        "interviewer.cli.grade_all",
    ],
)
def test_a_pure_module_loads_nothing_heavy(modules: str) -> None:
    """A static import graph cannot see a deferred import, so a fresh interpreter reports what it has loaded."""
    forbidden = HEAVY | {"textual"}
    script = (
        f"import sys, importlib\nfor m in {modules.split()!r}: importlib.import_module(m)\nprint(*sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert forbidden & {name.split(".")[0] for name in done.stdout.split()} == set()


def test_the_first_frame_waits_for_no_heavy_import() -> None:
    script = "import sys, interviewer.cli.main, interviewer.cli.launch, interviewer.tui.app"
    done = subprocess.run(
        [sys.executable, "-c", script + "\nprint(*sys.modules)"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert (HEAVY | {"click", "sqlite3"}) & loaded == set()
