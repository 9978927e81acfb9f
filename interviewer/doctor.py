"""Finds out what works on this machine, each finding with the way to mend it; keys are named, never shown."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interviewer.chat.choose import default_model, missing_key
from interviewer.kit import Kit, KitError

TERMINAL_MIN = (60, 15)


@dataclass(frozen=True)
class Check:
    """Hold one finding."""

    name: str
    is_ok: bool
    detail: str
    fix: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the object that `doctor --json` prints."""
        return {"name": self.name, "ok": self.is_ok, "detail": self.detail, "fix": self.fix}


def examine(kit: Kit, environ: Mapping[str, str] = os.environ) -> list[Check]:
    """Return all findings; none of them raises."""
    return [
        _python(),
        _terminal(environ),
        _content(kit),
        _own_content(kit),
        _log(kit),
        _torch(),
        _engine(kit),
        _model(kit, environ),
    ]


def _python() -> Check:
    return Check("python", sys.version_info >= (3, 11), f"{platform.python_version()} on {platform.platform()}")


def _terminal(environ: Mapping[str, str]) -> Check:
    if not sys.stdout.isatty():
        return Check("terminal", True, "standard output is not a terminal; the plain interview works")
    columns, rows = shutil.get_terminal_size()
    is_large = columns >= TERMINAL_MIN[0] and rows >= TERMINAL_MIN[1]
    detail = f"{columns}×{rows}, TERM={environ.get('TERM', 'unset')}"
    return Check("terminal", is_large, detail, "Enlarge the window to at least 60×15, or use --plain.")


def _content(kit: Kit) -> Check:
    try:
        return Check("content", True, f"{len(kit.questions)} questions, {len(kit.full_tasks)} coding tasks")
    except KitError as error:
        return Check("content", False, error.message, error.fix)


def _own_content(kit: Kit) -> Check:
    questions, tasks = kit.own_questions, kit.own_tasks
    problems = (*questions.problems, *tasks.problems)
    drafts = len(questions.drafts) + len(questions.forms)
    there = f"{len(questions.questions)} questions, {drafts} drafts, {len(tasks.tasks)} coding tasks"
    detail = f"{there}, in {kit.folders.questions} and {kit.folders.tasks.name}/ beside it"
    told = "".join(f"\n      left out: {line}" for line in problems)
    return Check(
        "your own content", not problems, detail + told, "Mend it or move it; interviewer check lists every complaint."
    )


def _log(kit: Kit) -> Check:
    try:
        return Check("practice log", True, f"{len(kit.sessions())} sessions in {kit.folders.log_file}")
    except KitError as error:
        return Check("practice log", False, error.message, error.fix)


def _torch() -> Check:
    """Ask a child: torch must not be imported into the app's own process."""
    script = "import torch; print(torch.__version__, 'GPU' if torch.cuda.is_available() else 'no GPU')"
    try:
        done = subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return Check("torch", False, f"cannot be imported ({type(error).__name__})", "pip install torch==2.13.0")
    return Check("torch", True, f"{done.stdout.strip()}; the grader's references run on it")


def _engine(kit: Kit) -> Check:
    from sandbox.job import SandboxError
    from sandbox.levels import FORGERY, ISOLATION, best_level
    from sandbox.upkeep import status

    level = best_level(sys.executable)
    if kit.settings.sandbox == "process":
        return Check("sandbox", True, f"{ISOLATION[level]} {FORGERY}")
    fix = f"Coding tasks then need --sandbox process, here at level {level}; interviews need no sandbox."
    try:
        now = status(kit.settings.image or None)
    except SandboxError as error:
        return Check("sandbox", False, error.message, f"{error.fix} {fix}")
    detail = f"Docker {now.engine_version}, image {now.image} {'there' if now.has_image else 'missing'}"
    return Check("sandbox", now.has_image, detail, "" if now.has_image else "interviewer sandbox build (once).")


def _model(kit: Kit, environ: Mapping[str, str]) -> Check:
    name = kit.settings.model or default_model(environ) or ""
    if not name:
        return Check("model", True, "none chosen: the offline examiner serves, and needs nothing")
    lacks = missing_key(name, environ)
    detail = f"{name}, {f'but {lacks} is not set' if lacks else 'its key is set or none is needed; not called now'}"
    return Check("model", not lacks, detail, f"Set {lacks}, or unset INTERVIEWER_MODEL for the offline examiner.")
