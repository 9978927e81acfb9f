"""Read the practice log for commands that print or export it: all of it masked, and nothing left out silently."""

from __future__ import annotations

from interviewer.cli.output import say
from interviewer.interview.context import AppContext
from interviewer.log.history import History, read_history
from interviewer.log.trends import TopicTrend, topic_trends
from interviewer.sanitize import masker


def history_of(context: AppContext) -> History:
    """Return all practice, masked; print on stderr what was set aside or cannot be read. Raises: LogError."""
    history = read_history(context.log, masker(context.environ))
    for notice in (*context.log.notices, *history.unreadable):
        say(f"note: {notice}", is_error=True)
    return history


def topics_of(context: AppContext, history: History) -> list[TopicTrend]:
    """Return the practiced topics; the tasks are read only when an attempt outside interviews needs its topics."""
    known = {task.id: task.topics for task in context.full_tasks} if history.loose_attempts else {}
    return topic_trends(history, known)
