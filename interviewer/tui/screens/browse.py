"""Browse all questions and tasks, with the practice progress so far.

A question's points are searchable but never shown. A task's known mistakes, and the topics of a repair task, are shown
only after the task has been passed, because they would reveal the bug.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from interviewer.bank.topics import area_name, group_of, topic_rank
from interviewer.interview.challenge import mistakes_text
from interviewer.session.plan import RARE_QUESTIONS
from interviewer.tui.background import run_in_background
from interviewer.tui.screens.pick import Pickable, PickScreen
from interviewer.tui.text_format import advice, in_words, minutes_text

if TYPE_CHECKING:
    from interviewer.interview.context import AppContext
    from interviewer.log.progress import Progress, QuestionProgress, TaskProgress
    from interviewer.session.question import Question
    from tasks.task import Task

NOT_YET = "not practiced"
QUESTION, TASK = "question", "task"
FIND_THE_BUG = "find the bug"


class BrowseScreen(PickScreen):
    """The list of questions and tasks. Its result is "question" or "task", a slash, and the id of the picked item."""

    def __init__(self, context: AppContext, kinds: Sequence[str] = (QUESTION, TASK)) -> None:
        super().__init__(f"Browse {' and '.join(f'{kind}s' for kind in kinds)}", _rows(context, kinds, None))
        self._app_context = context
        self._kinds = kinds

    def on_mount(self) -> None:
        """Show all rows, and add the practice progress once the log has been read."""
        super().on_mount()
        run_in_background(self, self._practiced_rows, self.show_rows, self._complain)

    def _practiced_rows(self) -> list[Pickable]:
        return _rows(self._app_context, self._kinds, self._app_context.progress())

    def _complain(self, error: Exception) -> None:
        self.notify(advice(error), title="Could not read the practice log", severity="error", markup=False)


def _rows(context: AppContext, kinds: Sequence[str], practice: Progress | None) -> list[Pickable]:
    """Return a row for each item; without `practice`, the progress column stays blank until the log has been read."""
    questions = sorted(context.questions, key=_listing_order) if QUESTION in kinds else ()
    tasks = context.full_tasks if TASK in kinds else ()
    if practice is None:
        return [_question_row(question, "") for question in questions] + [_task_row(task, "") for task in tasks]
    rows = [_question_row(question, _question_past(practice.questions.get(question.id))) for question in questions]
    for task in tasks:
        past = practice.tasks.get(task.id)
        rows.append(_task_row(task, task_past(past), has_passed=past is not None and past.has_passed))
    return rows


def topic_rows(questions: Sequence[Question]) -> list[Pickable]:
    """Return a row for each topic that has questions; the topics that are asked most often come first."""
    asked: dict[str, list[Question]] = {}
    for question in questions:
        for topic in question.topics:
            asked.setdefault(topic, []).append(question)
    return [
        Pickable(
            topic,
            f"{len(asked[topic])} question{'s' * (len(asked[topic]) > 1)}",
            "\n".join(f"- {question.title}" for question in asked[topic]),
            note=group_of(topic),
            hidden="\n".join(" ".join(question.searched.split()) for question in asked[topic]),
            contents=tuple(question.title for question in asked[topic]),
        )
        for topic in sorted(asked, key=topic_rank)
    ]


def _listing_order(question: Question) -> tuple[bool, int, int, str]:
    """Return a sort key: the questions that real interviews ask most often come first, and rare ones come last."""
    return question.id in RARE_QUESTIONS, question.source_rank, question.level, question.id


def _question_row(question: Question, past: str) -> Pickable:
    topics = in_words(", ".join(question.topics))
    detail = _joined([QUESTION, f"level {question.level}", area_name(question.area), topics])
    about = f"{len(question.rungs)} rungs. Source items covered: {', '.join(question.seeds)}."
    preview = f"{question.prompt.strip()}\n\n{about}" + (f"\n\nYou: {past}." if past else "")
    return Pickable(f"{QUESTION}/{question.id}", detail, preview, question.title, past, question.searched)


def _task_row(task: Task, past: str, *, has_passed: bool = False) -> Pickable:
    kind = FIND_THE_BUG if task.kind == "repair" else task.kind
    topics = in_words(", ".join(task.topics_shown(has_passed=has_passed)))
    detail = _joined([f"{TASK}: {kind}", f"level {task.level}", f"{task.minutes} min", area_name(task.area), topics])
    preview = (f"You: {past}.\n\n" if past else "") + task.statement
    if has_passed:
        preview = f"{preview.rstrip()}\n\n{mistakes_text(task)}\n"
    return Pickable(f"{TASK}/{task.id}", detail, preview, task.title, past)


def _joined(facts: Sequence[str]) -> str:
    return " · ".join(fact for fact in facts if fact)


def _question_past(past: QuestionProgress | None) -> str:
    if past is None:
        return NOT_YET
    depth = f", {past.depth}" if past.depth else ", ungraded"
    return f"practiced {past.count}×, last {_day(past.last_at)}{depth}"


def task_past(past: TaskProgress | None) -> str:
    """Summarize the practice progress on a task in a few words."""
    if past is None:
        return NOT_YET
    if not past.has_passed:
        return f"tried {past.attempts}×, not passed"
    return f"passed, last {_day(past.last_at)}" + (
        f", best {minutes_text(past.best_seconds)}" if past.best_seconds else ""
    )


def _day(at: float) -> str:
    return time.strftime("%d %b", time.localtime(at))
