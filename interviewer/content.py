"""What may be asked and set: the bank, the catalogue and the user's own; each is read when it is first asked for."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from interviewer.errors import BadInput, UnknownName

if TYPE_CHECKING:
    from interviewer.bank.own import OwnQuestions
    from interviewer.config import Folders
    from interviewer.session.question import Question, TaskBrief
    from tasks.own import OwnTasks
    from tasks.task import Task

T = TypeVar("T")


class Content:
    """Read questions and tasks, those that ship and those in the user's folders."""

    folders: Folders

    @cached_property
    def own_questions(self) -> OwnQuestions:
        """Return the user's own questions; what is wrong with them stops nothing."""
        from interviewer.bank.own import read_own_questions

        return read_own_questions(self.folders.questions)

    @cached_property
    def own_tasks(self) -> OwnTasks:
        """Return the user's own tasks; what is wrong with them stops nothing."""
        from tasks.own import read_own_tasks

        return read_own_tasks(self.folders.tasks)

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """Return the bank and the user's own questions, without drafts. Raises: BankError."""
        from interviewer.bank.load import load_questions

        return load_questions() + self.own_questions.questions

    @cached_property
    def full_tasks(self) -> tuple[Task, ...]:
        """Return the tasks as the catalogue shows them, the user's own last. Raises: TaskError."""
        from tasks.load import load_tasks

        return load_tasks() + self.own_tasks.tasks

    @cached_property
    def tasks(self) -> tuple[TaskBrief, ...]:
        """Return the tasks as an interview needs them. Raises: TaskError."""
        from interviewer.briefs import brief_of

        return tuple(brief_of(task) for task in self.full_tasks)

    def question(self, question_id: str) -> Question:
        """Return a question, also a draft. Raises: BadInput with the nearest known id, or what a form lacks."""
        if why := self.own_questions.why_unusable(question_id):
            raise BadInput(
                why, f"Mend it; interviewer check {self.folders.questions} lists every complaint.", "unusable"
            )
        known = (*self.questions, *self.own_questions.drafts)
        return _find("question", question_id, {one.id: one for one in known})

    def task(self, task_id: str, device: str = "cpu") -> Task:
        """Return a task of the catalogue. Raises: BadInput with the nearest known id, or where it does not run."""
        task = _find("task", task_id, {one.id: one for one in self.full_tasks})
        if device not in task.devices:
            raise BadInput(f"{task_id} runs on {', '.join(task.devices)}, not {device}", "Leave --device out.", "plan")
        return task


def _find(what: str, wanted: str, known: Mapping[str, T]) -> T:
    """Return the question or task with this id. Raises: UnknownName with the nearest known id."""
    if wanted in known:
        return known[wanted]
    near = difflib.get_close_matches(wanted, known, n=1)
    hint = f"Did you mean {near[0]}?" if near else f"interviewer {what}s lists them."
    raise UnknownName(f"unknown {what} {wanted}", hint)
