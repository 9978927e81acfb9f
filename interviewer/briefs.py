"""What an interview needs of a task; reference, mistakes and cases stay behind."""

from __future__ import annotations

from interviewer.session.question import TaskBrief
from tasks.task import Task


def brief_of(task: Task) -> TaskBrief:
    """Return what an interview needs of a task."""
    return TaskBrief(
        id=task.id,
        title=task.title,
        kind=task.kind,
        minutes=float(task.minutes),
        topics=task.topics,
        statement=task.statement,
        starter=task.starter,
        hints=task.hints,
    )
