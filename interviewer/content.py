"""What may be asked and set: the bank, the catalogue and the user's own; each is read when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from interviewer.kit_error import KitError, find_named

if TYPE_CHECKING:
    from interviewer.bank.own import OwnQuestions
    from interviewer.config import Folders
    from interviewer.session.question import Question, TaskBrief
    from tasks.own import OwnTasks
    from tasks.task import Task


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
        """Return the bank and the user's own questions, without drafts. Raises: KitError."""
        from interviewer.bank.errors import BankError
        from interviewer.bank.load import load_questions

        try:
            return load_questions() + self.own_questions.questions
        except BankError as error:
            raise KitError(
                "bank", str(error), "Mend the question file; interviewer check lists every complaint."
            ) from None

    @cached_property
    def full_tasks(self) -> tuple[Task, ...]:
        """Return the tasks as the catalogue shows them, the user's own last. Raises: KitError."""
        from tasks.load import TaskError, load_tasks

        try:
            return load_tasks() + self.own_tasks.tasks
        except TaskError as error:
            raise KitError(
                "tasks", str(error), "Mend the task folder; interviewer check lists every complaint."
            ) from None

    @cached_property
    def tasks(self) -> tuple[TaskBrief, ...]:
        """Return the tasks as an interview needs them. Raises: KitError."""
        from interviewer.briefs import brief_of

        return tuple(brief_of(task) for task in self.full_tasks)

    def question(self, question_id: str) -> Question:
        """Return a question, also a draft. Raises: KitError with the nearest known id, or what a form lacks."""
        if why := self.own_questions.why_unusable(question_id):
            raise KitError(
                "unusable", why, f"Mend it; interviewer check {self.folders.questions} lists every complaint."
            )
        known = (*self.questions, *self.own_questions.drafts)
        return find_named("question", question_id, {one.id: one for one in known})

    def task(self, task_id: str, device: str = "cpu") -> Task:
        """Return a task of the catalogue. Raises: KitError with the nearest known id, or where it does not run."""
        task = find_named("task", task_id, {one.id: one for one in self.full_tasks})
        if device not in task.devices:
            raise KitError("plan", f"{task_id} runs on {', '.join(task.devices)}, not {device}", "Leave --device out.")
        return task
