"""Wires up the running app: settings, bank, tasks, log, grader, examiners; each is imported and created when needed."""

from __future__ import annotations

import difflib
import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from interviewer.errors import BadInput, InterviewerError, UnknownName
from interviewer.interview.ranks import GLOO, has_ranks

if TYPE_CHECKING:
    from graders.client import GraderClient
    from interviewer.bank.user_questions import UserQuestions
    from interviewer.chat.model import ChatModel
    from interviewer.chat.spending import Budget
    from interviewer.config import Folders, Settings
    from interviewer.interview.ports import Participants
    from interviewer.log.history import History
    from interviewer.log.progress import KnownContent, Progress
    from interviewer.log.store import PracticeLog
    from interviewer.session.assessment import Calibration
    from interviewer.session.events import Event
    from interviewer.session.question import Question, TaskBrief
    from interviewer.session.state import Session
    from tasks.task import Task, TaskNames
    from tasks.user_tasks import UserTasks

T = TypeVar("T")
WATCH_SECONDS = 2.0


class locked_cached_property(cached_property[T]):
    """A property computed only once, even with two threads; `functools.cached_property` has had no lock since 3.12."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        super().__init__(make)
        self._turn = threading.RLock()

    def __get__(self, instance: object, owner: type | None = None) -> T:  # type: ignore[override]
        """Return the value. After the first call, the instance stores the value and this method is not called again."""
        with self._turn:
            return super().__get__(instance, owner)


def make_task_brief(task: Task) -> TaskBrief:
    """Return the parts of a task that an interview needs."""
    from interviewer.session.question import TaskBrief

    return TaskBrief(
        id=task.id,
        title=task.title,
        area=task.area,
        level=task.level,
        kind=task.kind,
        minutes=float(task.minutes),
        topics=task.topics,
        statement=task.statement,
        starter=task.starter,
        hints=task.hints,
        after_pass=task.after_pass,
    )


@dataclass
class AppContext:
    """The objects shared by all front ends: content, settings, log, grader, and examiners. Call `close` at the end.

    If `stays_warm`, the grader's worker stays ready for the next command even after `close`, unless a setting forbids
    it. `tell` is called with each notice about the log, for example that a damaged log was moved aside.
    """

    settings: Settings
    folders: Folders
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    stays_warm: bool = field(default=False, init=False)
    tell: Callable[[str], None] | None = field(default=None, init=False)
    _warm_cells: str = field(default="", init=False)
    _is_closed: threading.Event = field(default_factory=threading.Event, init=False)

    def use(self, settings: Settings) -> None:
        """Use these settings starting with the next session."""
        self.settings = settings
        for cached in ("model_name", "model", "participants", "calibrations"):
            self.__dict__.pop(cached, None)

    @cached_property
    def own_questions(self) -> UserQuestions:
        """Return the user's own questions; files with errors are skipped."""
        from interviewer.bank.user_questions import load_user_questions

        return load_user_questions(self.folders.questions)

    @cached_property
    def own_tasks(self) -> UserTasks:
        """Return the user's own tasks; tasks with errors are skipped."""
        from tasks.user_tasks import load_user_tasks

        return load_user_tasks(self.folders.tasks)

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """Return the shipped and the user's own questions, without drafts.

        Raises BankError if the question files have errors.
        """
        from interviewer.bank.load import load_questions

        return load_questions() + self.own_questions.questions

    @cached_property
    def full_tasks(self) -> tuple[Task, ...]:
        """Return all tasks for the task list, the user's own last.

        Raises TaskError if a task is invalid, and BankError if the question files have errors.
        """
        from interviewer.bank.load import load_shipped_tasks

        return load_shipped_tasks() + self.own_tasks.tasks

    @cached_property
    def task_names(self) -> TaskNames:
        """Return titles, kinds and aliases of all tasks without fully loading the shipped tasks.

        Raises TaskError if a task or an alias is invalid.
        """
        from tasks.load import names_of, task_names
        from tasks.task import TaskNames

        if "full_tasks" in self.__dict__:
            return names_of(self.full_tasks)
        shipped, own = task_names(), names_of(self.own_tasks.tasks)
        titles, current = {**shipped.titles, **own.titles}, {**shipped.current, **own.current}
        return TaskNames(titles, current, shipped.repairs | own.repairs)

    @cached_property
    def tasks(self) -> tuple[TaskBrief, ...]:
        """Return all tasks in the form that an interview uses.

        Raises TaskError if a task is invalid, and BankError if the question files have errors.
        """
        return tuple(make_task_brief(task) for task in self.full_tasks)

    def question(self, question_id: str) -> Question:
        """Return a question or draft. Raises BadInput if the id is unknown or its file has errors."""
        if why := self.own_questions.why_unusable(question_id):
            raise BadInput(
                why, f"Fix the file. To list all problems, run interviewer check {self.folders.questions}.", "unusable"
            )
        known = (*self.questions, *self.own_questions.drafts)
        return _find("question", question_id, {question.id: question for question in known})

    def task(self, task_id: str, device: str = "cpu") -> Task:
        """Return the task with this id or alias.

        Raises BadInput if the id is unknown or the device is not supported.
        """
        from tasks.load import find_task

        task_id = self.task_names.id_of(task_id)
        is_own = any(task.id == task_id for task in self.own_tasks.tasks)
        if is_own or task_id not in self.task_names.titles or "full_tasks" in self.__dict__:
            task = _find("task", task_id, {task.id: task for task in self.full_tasks})
        else:
            task = find_task(task_id)  # loading all tasks would take as long as the rest of the command
        if device not in task.devices:
            why = f": {GLOO}" if has_ranks(task) else ""
            message = f"{task_id} runs on {', '.join(task.devices)}, not {device}{why}"
            raise BadInput(message, "Leave out --device.", "plan")
        return task

    @locked_cached_property
    def log(self) -> PracticeLog:
        """Return the practice log. Raises LogError if the log cannot be used."""
        from interviewer.log.store import PracticeLog

        log = PracticeLog(self.folders.log_file)
        if self.tell:
            for notice in log.notices:
                self.tell(notice)
        return log

    @locked_cached_property
    def grader_client(self) -> GraderClient:
        """Return the client of the grader's child process, which starts on first use or with `warm_up`."""
        from graders.client import GraderClient

        return GraderClient(self.folders.cache / "grader" if self.settings.keep_grader else None)

    @cached_property
    def model_name(self) -> str:
        """Return the name of the language model in use, or "" for none.

        Raises InterviewerError if a model is required but missing.
        """
        from interviewer.chat.providers import choose_model_name

        return choose_model_name(self.settings.examiner, self.settings.model, self.environ)

    @cached_property
    def model(self) -> ChatModel | None:
        """Return the language model, or None. Raises InterviewerError if a model is required but missing."""
        if not self.model_name:
            return None
        from interviewer.chat.streaming import Timeouts
        from interviewer.interview.participants import open_model

        try:
            return open_model(self.model_name, Timeouts(first_seconds=self.settings.patience_seconds))
        except (OSError, ValueError) as error:
            fix = "Check --model or INTERVIEWER_MODEL."
            raise InterviewerError(f"{self.model_name}: {error}", fix, "model") from None

    @cached_property
    def participants(self) -> Participants:
        """Return the examiners and the language model that words the questions.

        Raises InterviewerError if a model is required but missing.
        """
        from interviewer.interview.participants import make_participants

        return make_participants(self.settings, self.model, self.questions if self.model else ())

    @cached_property
    def calibrations(self) -> tuple[Calibration, ...]:
        """Return the calibration results that are valid for the current examiners."""
        from interviewer.examiner.calibration.results import load_calibration

        known = {question.id: question for question in self.questions}
        examiners = {examiner.name: examiner for examiner in (self.participants.examiner, self.participants.offline)}
        file = self.folders.calibrations_file
        calibrations = (load_calibration(examiner, known, file) for examiner in examiners.values())
        return tuple(calibration for calibration in calibrations if calibration is not None)

    def budget(self, command: str) -> Budget:
        """Return the budget for model calls that a command makes outside a session.

        Raises InterviewerError if the settings or the log cannot be used.
        """
        from uuid import uuid4

        from interviewer.chat.spending import Budget, Cap, Payments
        from interviewer.interview.participants import load_payments

        if self.model is None:
            return Budget(None, Cap(), Payments())
        return Budget(self.model, self.participants.cap, load_payments(self.log, f"{command} {uuid4().hex}"))

    def progress(self) -> Progress:
        """Return the practice history so far.

        This method may take several seconds; do not call it on the event loop. Raises InterviewerError if the log or
        the content cannot be used.
        """
        from interviewer.log.progress import progress_of

        return progress_of(self.history(), self.known_content, time.time())

    def history(self) -> History:
        """Return the whole log with secrets masked.

        This method may take several seconds; do not call it on the event loop. Raises LogError if the log cannot be
        used.
        """
        from interviewer.log.history import read_history
        from interviewer.sanitize import masker

        return read_history(self.log, masker(self.environ), self.task_names)

    def events(self, session_id: str) -> list[Event]:
        """Return the events of a session with secrets masked; empty for an unknown session.

        Raises LogError if the log cannot be used.
        """
        from interviewer.sanitize import masker

        return self.log.whole(session_id, masker(self.environ))

    def masked_debrief(self, session: Session) -> str:
        """Return a session's debrief as Markdown with secrets masked."""
        from interviewer.sanitize import masked, masker
        from interviewer.session.codec import from_plain, to_plain
        from interviewer.session.debrief import debrief

        return debrief(from_plain(type(session), masked(to_plain(session), masker(self.environ))))

    def known_content(self) -> KnownContent:
        """Return which questions and tasks can be started, including drafts.

        Raises BankError if the question files have errors, and TaskError if a task is invalid.
        """
        from interviewer.log.progress import KnownContent

        questions = (*self.questions, *self.own_questions.drafts)
        return KnownContent(
            frozenset(question.id for question in questions), {task.id: task.topics for task in self.full_tasks}
        )

    def status(self) -> list[str]:
        """Return a line about the examiner and a line about the sandbox, without starting either."""
        try:
            examiner = self.model_name or "offline examiner: needs no API key, compares wording"
        except InterviewerError as error:
            # Sessions do not fall back to the offline examiner: they fail to start, with this message.
            examiner = f"none, because {error.message}"
        in_process = "a process on this machine; Doctor shows how well it is isolated"
        where = "Docker" if self.settings.sandbox == "docker" else in_process
        return [f"Examiner: {examiner}", f"Sandbox: {where}{self._warm_cells}"]

    def installation_line(self) -> str:
        """Return the progress of torch's installation, or why it failed; "" if torch is installed."""
        from graders.install import installation

        running = installation()
        if running is None:
            return ""
        if running.error:
            return f"PyTorch could not be installed: {running.error}. Doctor shows how to fix it."
        return f"{running.text}. Your code is graded after that."

    def warm_up(self) -> None:
        """Start the grader's child process and a warm cell in the background, so that the first verdict is fast."""
        self.stays_warm = True
        threading.Thread(target=self._watch_cells, daemon=True).start()

    def _watch_cells(self) -> None:
        """Keep the number and memory use of warm cells up to date for `status`; the child process may answer slowly."""
        self.grader_client.start(self.settings.sandbox, self.settings.image)
        while not self._is_closed.wait(WATCH_SECONDS):
            cells = self.grader_client.warm_cells()
            if cells is not None:
                cells_text = f", {len(cells)} warm cell{'s' * (len(cells) > 1)} ({sum(cells) / 2**20:.0f} MiB)"
                self._warm_cells = cells_text if cells else ""

    def close(self) -> None:
        """Stop the child process, unless it stays warm, and close the log."""
        self._is_closed.set()
        if "grader_client" in self.__dict__:
            self.grader_client.close(stays=self.stays_warm and self.settings.keep_grader)
        if "log" in self.__dict__:
            self.log.close()

    def __enter__(self) -> AppContext:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _find(what: str, wanted: str, known: Mapping[str, T]) -> T:
    """Return the question or task with this id.

    Raises UnknownName, with the nearest known id, if this id is unknown.
    """
    if wanted in known:
        return known[wanted]
    near = difflib.get_close_matches(wanted, known, n=1)
    hint = f"Did you mean {near[0]}?" if near else f"To list all {what}s, run interviewer {what}s."
    raise UnknownName(f"unknown {what} {wanted}", hint)
