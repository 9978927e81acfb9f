"""A coding task as an interview knows it: what the candidate sees, and nothing of the grader."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TaskBrief:
    """Hold what an interview needs of a coding task; the grader keeps the rest to itself."""

    id: str
    title: str
    kind: str
    minutes: float
    topics: tuple[str, ...]
    statement: str
    starter: str
    hints: tuple[str, ...]
    area: str = ""
    level: int = 0
