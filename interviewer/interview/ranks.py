"""Determines which tasks run on multiple ranks.

The ranks' process group always uses gloo on the CPU, even on a machine with GPUs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tasks.task import Task

GLOO = "the task's ranks always use gloo on the CPU"
_DEVICES = {"cpu": "CPU", "cuda": "GPU"}


def has_ranks(task: Task) -> bool:
    """Return whether any case of the task has more than one rank; only such tasks set `world` in their cases."""
    return "world" in task.cases_source


def device_text(task: Task, device: str) -> str:
    """Return where a submission ran: the device and, if there were multiple ranks, their backend."""
    return f"{_DEVICES[device]}, ranks with gloo" if has_ranks(task) else _DEVICES[device]
