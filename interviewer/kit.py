"""Wires one running app: settings, bank, tasks, log, grader and examiners; everything heavy is made when first used.

KitError                    something the app needs is missing; the message says what and the fix what to do
"""

from __future__ import annotations

import difflib
import os
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from graders.client import GraderClient
from graders.verdict import Report
from interviewer.bank.errors import BankError
from interviewer.bank.load import load_questions
from interviewer.chat.choose import default_model, missing_key, open_model
from interviewer.chat.model import ChatModel
from interviewer.config import Folders, Settings
from interviewer.driver import Cast, Interview, resume_session, start_session
from interviewer.examiner.llm import LLMExaminer
from interviewer.examiner.offline import OfflineExaminer
from interviewer.log.store import LogError, PracticeLog, SessionLine
from interviewer.session.codec import CodecError
from interviewer.session.engine import OutOfTurn, fold
from interviewer.session.plan import PlanError, TaskBrief, Wishes, make_plan
from interviewer.session.question import Question
from interviewer.session.state import OFFLINE, Session
from tasks.load import TaskError, load_tasks
from tasks.task import Task

T = TypeVar("T")
WATCH_SECONDS = 2.0


class KitError(Exception):
    """Say what the app lacks. `kind` is a short name for it, `fix` what the user can do next."""

    def __init__(self, kind: str, message: str, fix: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.fix = fix


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


@dataclass
class SandboxGrader:
    """Grade with the settings' sandbox in the worker; one grade at a time."""

    client: GraderClient
    sandbox: str
    image: str

    def grade(self, task: str, source: str) -> Report:
        """Return the report. Raises: GradingError when our side failed."""
        return self.client.grade(task, source, sandbox=self.sandbox, image=self.image)

    def prepare(self, task: str) -> None:
        """Let a warm cell wait for a submission of this task."""
        self.client.prepare(task)

    def cancel(self) -> None:
        """Stop the grade that runs."""
        self.client.cancel()


@dataclass
class Kit:
    """Hold what every front needs. Close it at the end."""

    settings: Settings
    folders: Folders
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    _warm_cells: str = field(default="", init=False)
    _is_closed: threading.Event = field(default_factory=threading.Event, init=False)

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """Return the bank. Raises: KitError."""
        try:
            return load_questions()
        except BankError as error:
            raise KitError(
                "bank", str(error), "Mend the question file; interviewer check lists every complaint."
            ) from None

    @cached_property
    def full_tasks(self) -> tuple[Task, ...]:
        """Return the tasks as the catalogue shows them. Raises: KitError."""
        try:
            return load_tasks()
        except TaskError as error:
            raise KitError(
                "tasks", str(error), "Mend the task folder; interviewer check lists every complaint."
            ) from None

    @cached_property
    def tasks(self) -> tuple[TaskBrief, ...]:
        """Return the tasks as an interview needs them. Raises: KitError."""
        return tuple(brief_of(task) for task in self.full_tasks)

    def question(self, question_id: str) -> Question:
        """Return a question of the bank. Raises: KitError with the nearest known id."""
        return self._find("question", question_id, {one.id: one for one in self.questions})

    def task(self, task_id: str) -> Task:
        """Return a task of the catalogue. Raises: KitError with the nearest known id."""
        return self._find("task", task_id, {one.id: one for one in self.full_tasks})

    @cached_property
    def log(self) -> PracticeLog:
        """Return the practice log. Raises: KitError."""
        try:
            return PracticeLog(self.folders.log_file)
        except LogError as error:
            raise KitError("log", error.message, error.fix) from None

    @cached_property
    def grader_client(self) -> GraderClient:
        """Return the client of the grader's child process; the child starts with its first use or `warm_up`."""
        return GraderClient()

    @cached_property
    def model_name(self) -> str:
        """Return the language model that serves, or "" for none. Raises: KitError when one is required and missing."""
        if self.settings.examiner == OFFLINE:
            return ""
        name = self.settings.model or default_model(self.environ) or ""
        lacks = missing_key(name, self.environ) if name else None
        if self.settings.examiner == "llm" and not name:
            raise KitError(
                "model", "no language model is chosen and no provider's key is set", "Set INTERVIEWER_MODEL."
            )
        if lacks and self.settings.model:
            raise KitError(
                "model", f"{name} needs {lacks}, which is not set", f"Set {lacks}, or use --examiner offline."
            )
        return "" if lacks else name

    @cached_property
    def model(self) -> ChatModel | None:
        """Return the language model, or None. Raises: KitError."""
        if not self.model_name:
            return None
        try:
            return open_model(self.model_name)
        except (OSError, ValueError) as error:
            raise KitError("model", f"{self.model_name}: {error}", "Check --model or INTERVIEWER_MODEL.") from None

    @cached_property
    def cast(self) -> Cast:
        """Return who judges and who speaks. Raises: KitError."""
        offline = OfflineExaminer()
        if self.model is None:
            return Cast(examiner=offline, offline=offline)
        judge = LLMExaminer(self.model)
        return Cast(examiner=judge, offline=offline, voice=self.model, persona=self.settings.persona)

    def new_interview(self, wishes: Wishes, seed: int | None = None) -> Interview:
        """Return a new interview, its start logged. Raises: KitError."""
        chosen = secrets.randbelow(2**31) if seed is None else seed
        try:
            plan = make_plan(self.questions, self.tasks, wishes, chosen)
        except PlanError as error:
            raise KitError(
                "plan", str(error), "interviewer questions and interviewer tasks list what there is."
            ) from None
        try:
            session = start_session(self.log, plan, self.questions, self.tasks, self.cast.examiner.name, chosen)
            return self._interview(session)
        except LogError as error:
            raise KitError("log", error.message, error.fix) from None

    def resume(self, session_id: str) -> Interview:
        """Return a logged interview as it stood. Raises: KitError, also for an unknown or finished one."""
        session = self.past(session_id)
        if session.is_over:
            raise KitError("session", f"session {session_id} is finished", "interviewer log shows its debrief.")
        try:
            return self._interview(resume_session(self.log, session_id))
        except LogError as error:
            raise KitError("log", error.message, error.fix) from None

    def past(self, session_id: str) -> Session:
        """Return the state of a logged session, changing nothing. Raises: KitError."""
        try:
            history = self.log.events(session_id)
            if not history:
                raise KitError("session", f"no session {session_id}", "interviewer log lists them.")
            return fold(history)
        except LogError as error:
            raise KitError("log", error.message, error.fix) from None
        except (OutOfTurn, CodecError) as error:
            raise KitError("log", f"session {session_id}: {error}", "Another version may have written it.") from None

    def sessions(self) -> list[SessionLine]:
        """Return all logged sessions, latest first. Raises: KitError."""
        try:
            return self.log.sessions()
        except LogError as error:
            raise KitError("log", error.message, error.fix) from None

    def unfinished(self) -> SessionLine | None:
        """Return the latest session that can be continued, or None. Raises: KitError."""
        return next((line for line in self.sessions() if line.ended_at is None), None)

    def status(self) -> list[str]:
        """Return one line each about who examines and what runs code, without starting anything."""
        try:
            examiner = self.model_name or "offline examiner: no key needed, listens for phrasings"
        except KitError as error:
            examiner = f"offline examiner, because {error.message}"
        in_process = "a process on this machine; interviewer doctor says how far it is shut in"
        where = "Docker" if self.settings.sandbox == "docker" else in_process
        return [f"Examiner: {examiner}", f"Sandbox: {where}{self._warm_cells}"]

    def warm_up(self) -> None:
        """Start the grader's child and a warm cell in the background, so that the first verdict waits for neither."""
        threading.Thread(target=self._watch_cells, daemon=True).start()

    def _watch_cells(self) -> None:
        """Keep for `status` how many cells wait and what they cost; the child says it, so it may take a moment."""
        self.grader_client.start(self.settings.sandbox, self.settings.image)
        while not self._is_closed.wait(WATCH_SECONDS):
            cells = self.grader_client.warm_cells()
            if cells is not None:
                said = f", {len(cells)} warm cell{'s' * (len(cells) > 1)} ({sum(cells) / 2**20:.0f} MiB)"
                self._warm_cells = said if cells else ""

    def close(self) -> None:
        """Stop the child and close the log."""
        self._is_closed.set()
        if "grader_client" in self.__dict__:
            self.grader_client.close()
        if "log" in self.__dict__:
            self.log.close()

    def __enter__(self) -> Kit:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @staticmethod
    def _find(what: str, wanted: str, known: Mapping[str, T]) -> T:
        if wanted in known:
            return known[wanted]
        near = difflib.get_close_matches(wanted, known, n=1)
        hint = f"Did you mean {near[0]}?" if near else f"interviewer {what}s lists them."
        raise KitError("unknown", f"unknown {what} {wanted}", hint)

    def _interview(self, session: Session) -> Interview:
        grader = SandboxGrader(self.grader_client, self.settings.sandbox, self.settings.image)
        return Interview(self.log, session, self.cast, grader)
