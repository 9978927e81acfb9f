"""The first frame waits for nothing that it does not show: a fresh interpreter draws it and then lists its modules."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TUI = ROOT / "interviewer" / "tui"
THIRD_PARTY = {
    *("aiohttp", "click", "docker", "litellm", "markdown_it", "numpy", "pydantic", "pygments"),
    *("sqlite3", "torch", "tree_sitter"),
}
# The context itself imports two modules of plain data: session.question and tasks.task.
OURS = {
    *("interviewer.bank", "interviewer.chat", "interviewer.examiner", "interviewer.interview.runner"),
    *("interviewer.log", "interviewer.session.engine", "interviewer.session.plan", "interviewer.session.state"),
    *("tasks.load", "graders.reference", "sandbox.docker"),
}
SCRIPT = """
import asyncio, sys
from interviewer.config import Settings, find_folders
from interviewer.interview.context import AppContext
from interviewer.tui.app import InterviewerApp

async def look(pilot):
    loaded.extend(sys.modules)
    pilot.app.exit()

loaded = []
app = InterviewerApp(AppContext(Settings(), find_folders(), environ={}))
asyncio.run(app.run_async(headless=True, auto_pilot=look))
print(*loaded)
"""
# navigation.py imports a screen's module when the screen is opened; all other modules are imported at the top.
LAZY = {"navigation.py"}


def test_the_first_frame_loads_nothing_that_it_does_not_show() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = set(done.stdout.split())
    assert "interviewer.tui.screens.home" in loaded, "the app was drawn"
    assert THIRD_PARTY & {name.split(".")[0] for name in loaded} == set()
    assert [name for name in sorted(loaded) if any(name == ours or name.startswith(f"{ours}.") for ours in OURS)] == []


def test_only_navigation_imports_inside_functions() -> None:
    deferred = [
        f"{path.relative_to(TUI)}:{node.lineno}"
        for path in sorted(TUI.rglob("*.py"))
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert [place for place in deferred if place.partition(":")[0] not in LAZY] == []


def test_no_module_of_the_app_is_in_an_import_cycle() -> None:
    imports = {name_of(path): imported_by(path) for path in TUI.rglob("*.py")}
    left = set(imports)
    while free := {name for name in left if not imports[name] & left - {name}}:
        left -= free
    assert left == set()


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported_by(path: Path) -> set[str]:
    """Return the modules that this one imports at the top of its file, except those that are only for type checking."""
    names = set[str]()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names
