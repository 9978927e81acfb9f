"""What a candidate may read once a task is over: the reference, their code against it, and what goes wrong here."""

from __future__ import annotations

import difflib
import re

from interviewer.session.state import Session, TaskWork
from tasks.task import Task

_FENCE = re.compile(r"`{3,}")


def is_open(session: Session, task: str) -> bool:
    """Return whether the solution of a task may be shown: it was passed or given up."""
    return any(work.is_over for work in session.works if work.task == task)


def solution_text(task: Task, work: TaskWork) -> str:
    """Return reference, comparison and explanation as Markdown."""
    own = work.attempts[-1].source if work.attempts else ""
    lines = ["## Reference", "", fenced(task.reference, "python"), ""]
    if own:
        lines += ["## From your last submission to the reference", ""]
        lines += [fenced(difference(own, task.reference, "yours", "reference"), "diff"), ""]
    lines += ["## What goes wrong here", ""]
    lines += [f"- {' '.join(one.wrong.split())} Ask yourself: {' '.join(one.ask.split())}" for one in task.mistakes]
    lines += ["", "## Hints", "", *(f"{number}. {hint.strip()}" for number, hint in enumerate(task.hints, 1))]
    return "\n".join([*lines, "", f"Source: {'; '.join(task.source)}", ""])


def difference(before: str, after: str, before_name: str, after_name: str) -> str:
    """Return a unified diff of two programs; says so when they are the same."""
    diff = difflib.unified_diff(before.splitlines(), after.splitlines(), before_name, after_name, lineterm="", n=3)
    return "\n".join(diff) or "The two are the same."


def fenced(code: str, language: str) -> str:
    """Return code as a Markdown block that nothing inside can end."""
    longest = max((len(found) for found in _FENCE.findall(code)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code.rstrip()}\n{fence}"
