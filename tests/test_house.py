"""The house stays as it was drawn: small rooms, no catch-all modules, pure modules pure at run time."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("interviewer", "graders", "sandbox", "tasks")
FILE_LINES_MAX = 300
APP_LINES_MAX = 150
FUNCTION_LINES_MAX = 40
BANNED_MODULES = {"utils", "helpers", "common", "core", "base", "manager"}
BANNED_CLASS_WORDS = ("Manager", "Handler", "Helper", "Service", "Info")
BANNED_FUNCTIONS = {"process", "handle"}
HEAVY = {"litellm", "torch", "docker", "pydantic", "numpy"}


def sources() -> list[Path]:
    """Return the project's own modules, task content left out."""
    return [
        path
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        if room != "tasks" or path.parent == ROOT / "tasks"
    ]


def test_no_room_is_too_large() -> None:
    limits = {path: APP_LINES_MAX if path.name == "app.py" else FILE_LINES_MAX for path in sources()}
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in limits}
    assert {str(path.relative_to(ROOT)): n for path, n in lines.items() if n > limits[path]} == {}


def test_the_median_room_is_small() -> None:
    lines = sorted(
        len(path.read_text(encoding="utf-8").splitlines()) for path in sources() if path.name != "__init__.py"
    )
    assert lines[len(lines) // 2] <= 120


def test_no_function_is_too_long_and_no_name_is_banned() -> None:
    complaints = []
    for path in sources():
        where = path.relative_to(ROOT)
        if path.stem in BANNED_MODULES:
            complaints.append(f"{where}: banned module name")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                length = (node.end_lineno or 0) - node.lineno + 1
                if length > FUNCTION_LINES_MAX:
                    complaints.append(f"{where}:{node.lineno}: {node.name} has {length} lines")
                if node.name in BANNED_FUNCTIONS:
                    complaints.append(f"{where}:{node.lineno}: banned function name {node.name}")
            if isinstance(node, ast.ClassDef) and any(word in node.name for word in BANNED_CLASS_WORDS):
                complaints.append(f"{where}:{node.lineno}: banned class name {node.name}")
    assert complaints == []


def test_every_module_says_what_it_is() -> None:
    silent = [
        str(path.relative_to(ROOT)) for path in sources() if ast.get_docstring(ast.parse(path.read_text())) is None
    ]
    assert silent == []


@pytest.mark.parametrize(
    "modules",
    [
        "interviewer.session.engine interviewer.session.debrief interviewer.session.depth",
        "interviewer.bank.load",
        "interviewer.log.store",
        "tasks.load tasks.task",
        "graders.verdict graders.client",
        "sandbox.job sandbox.fake",
        "interviewer.chat.model interviewer.chat.scripted interviewer.chat.choose",
        "interviewer.examiner.offline interviewer.examiner.llm",
        "interviewer.driver interviewer.plain interviewer.kit",
    ],
)
def test_a_pure_module_loads_nothing_heavy(modules: str) -> None:
    """A static import graph cannot see a deferred import, so look at what a fresh interpreter has loaded."""
    forbidden = HEAVY | {"textual"}
    script = (
        f"import sys, importlib\nfor m in {modules.split()!r}: importlib.import_module(m)\nprint(*sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert forbidden & {name.split(".")[0] for name in done.stdout.split()} == set()


def test_the_app_loads_nothing_for_its_first_picture_that_is_not_in_it() -> None:
    script = "import sys, interviewer.start, interviewer.kit, interviewer.open_app, interviewer.tui.app"
    done = subprocess.run(
        [sys.executable, "-c", script + "\nprint(*sys.modules)"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    loaded = set(done.stdout.split())
    assert HEAVY & {name.split(".")[0] for name in loaded} == set()
    assert {"click", "sqlite3", "interviewer.driver", "interviewer.practice", "interviewer.log.store"} & loaded == set()
    assert not [name for name in loaded if name.startswith(("interviewer.bank.", "interviewer.session.", "tasks."))]
