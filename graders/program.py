"""Puts the runner's files into one program text; what is listed here is all of ours that ever enters a sandbox."""

from __future__ import annotations

from functools import cache
from pathlib import Path

SENT_MODULES = ("inside", "ranks")
# Modules, not one text pasted together: the same files are imported on the trusted side, unchanged.
START = """
import sys, types
sys.modules["graders"] = types.ModuleType("graders")
for name, source in {sources!r}.items():
    module = sys.modules["graders." + name] = types.ModuleType("graders." + name)
    exec(compile(source, name + ".py", "exec"), module.__dict__)
module.main()
"""


@cache
def runner_program() -> str:
    """Return the Python program that a sandbox runs."""
    folder = Path(__file__).parent
    return START.format(sources={name: (folder / f"{name}.py").read_text(encoding="utf-8") for name in SENT_MODULES})
