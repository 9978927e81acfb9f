"""Wires one running app: settings, bank, tasks, log, grader and examiners; everything heavy is made when first used.

Errors: see `interviewer.kit_error`.
"""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from graders.client import GraderClient
from interviewer.bank.errors import BankError
from interviewer.bank.load import load_questions
from interviewer.bank.own import OwnQuestions, read_own_questions
from interviewer.briefs import brief_of
from interviewer.calibrations import calibration_of
from interviewer.casting import cast_for, chosen_model, paid_in
from interviewer.challenge import DEVICE_SLOT, Challenge, challenge_plan
from interviewer.chat.choose import open_model
from interviewer.chat.model import ChatModel
from interviewer.clock import CLOCK_SLOT, SessionClock, noted_seconds
from interviewer.config import Folders, Settings
from interviewer.driver import Cast, Interview, resume_session, start_session
from interviewer.kit_error import KitError, find_named
from interviewer.log.store import LogError, PracticeLog, SessionLine
from interviewer.sandbox_grader import SandboxGrader
from interviewer.session.calibration import Calibration
from interviewer.session.codec import CodecError
from interviewer.session.engine import OutOfTurn, fold
from interviewer.session.plan import Plan, PlanError, TaskBrief, Wishes, make_plan
from interviewer.session.question import Question
from interviewer.session.state import Session
from tasks.load import TaskError, load_tasks
from tasks.own import OwnTasks, read_own_tasks
from tasks.task import Task

if TYPE_CHECKING:
    from interviewer.practice import Practice

__all__ = ["Kit", "KitError"]
WATCH_SECONDS = 2.0
LATELY = 12  # sessions


@dataclass
class Kit:
    """Hold what every front needs. Close it at the end."""

    settings: Settings
    folders: Folders
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    _warm_cells: str = field(default="", init=False)
    _is_closed: threading.Event = field(default_factory=threading.Event, init=False)

    @cached_property
    def own_questions(self) -> OwnQuestions:
        """Return the user's own questions; what is wrong with them stops nothing."""
        return read_own_questions(self.folders.questions)

    @cached_property
    def own_tasks(self) -> OwnTasks:
        """Return the user's own tasks; what is wrong with them stops nothing."""
        return read_own_tasks(self.folders.tasks)

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """Return the bank and the user's own questions, without drafts. Raises: KitError."""
        try:
            return load_questions() + self.own_questions.questions
        except BankError as error:
            raise KitError(
                "bank", str(error), "Mend the question file; interviewer check lists every complaint."
            ) from None

    @cached_property
    def full_tasks(self) -> tuple[Task, ...]:
        """Return the tasks as the catalogue shows them, the user's own last. Raises: KitError."""
        try:
            return load_tasks() + self.own_tasks.tasks
        except TaskError as error:
            raise KitError(
                "tasks", str(error), "Mend the task folder; interviewer check lists every complaint."
            ) from None

    @cached_property
    def tasks(self) -> tuple[TaskBrief, ...]:
        """Return the tasks as an interview needs them. Raises: KitError."""
        return tuple(brief_of(task) for task in self.full_tasks)

    def use(self, settings: Settings) -> None:
        """Let these settings hold from the next session on."""
        self.settings = settings
        for cached in ("model_name", "model", "cast", "calibrations"):
            self.__dict__.pop(cached, None)

    def question(self, question_id: str) -> Question:
        """Return a question, also a draft. Raises: KitError with the nearest known id, or what a form lacks."""
        if why := self.own_questions.why_unusable(question_id):
            raise KitError(
                "unusable", why, f"Mend it; interviewer check {self.folders.questions} lists every complaint."
            )
        known = (*self.questions, *self.own_questions.drafts)
        return find_named("question", question_id, {one.id: one for one in known})

    def task(self, task_id: str) -> Task:
        """Return a task of the catalogue. Raises: KitError with the nearest known id."""
        return find_named("task", task_id, {one.id: one for one in self.full_tasks})

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
        return chosen_model(self.settings, self.environ)

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
        return cast_for(self.settings, self.model, self.questions if self.model else ())

    @cached_property
    def calibrations(self) -> tuple[Calibration, ...]:
        """Return what is known of how well the examiners judge, of each that was calibrated as it is now."""
        known = {one.id: one for one in self.questions}
        examiners = {one.name: one for one in (self.cast.examiner, self.cast.offline)}
        found = (calibration_of(one, known, self.folders.calibrations_file) for one in examiners.values())
        return tuple(one for one in found if one is not None)

    def new_interview(self, wishes: Wishes, seed: int | None = None) -> Interview:
        """Return a new interview, its start logged. Raises: KitError."""
        # With a seed the same plan is drawn again, so what was met since has no say.
        wished = replace(wishes, met=self.met_lately()) if seed is None else wishes
        chosen = secrets.randbelow(2**31) if seed is None else seed
        named = {one.id: one for one in map(self.question, wishes.questions)}
        pool = {one.id: one for one in self.questions} | named
        try:
            plan = make_plan(tuple(pool.values()), self.tasks, wished, chosen)
        except PlanError as error:
            raise KitError(
                "plan", str(error), "interviewer questions and interviewer tasks list what there is."
            ) from None
        return self._start(plan, chosen)

    def new_challenge(self, tasks: Sequence[str], minutes: float, device: str = "cpu") -> Interview:
        """Return a new timed challenge of these tasks, its start logged. Raises: KitError."""
        for task in map(self.task, tasks):
            if device not in task.devices:
                raise KitError(
                    "plan", f"{task.id} runs on {', '.join(task.devices)}, not {device}", "Leave --device out."
                )
        return self._start(challenge_plan(tasks, minutes), secrets.randbelow(2**31), device)

    def resume(self, session_id: str) -> Interview:
        """Return a logged interview as it stood. Raises: KitError, also for an unknown or finished one."""
        session = self.past(session_id)
        if session.is_over:
            raise KitError("session", f"session {session_id} is finished", "interviewer log shows its debrief.")
        try:
            # Seconds that ran since the last event, up to leaving or a kill, were used: coming back gives none of them.
            used_seconds = noted_seconds(self.log.draft(session_id, CLOCK_SLOT), session.last_at)
            return self._interview(resume_session(self.log, session_id, lambda: time.time() - used_seconds))
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

    def practice(self) -> Practice:
        """Return what was practised so far; may take seconds, so not for the event loop. Raises: KitError."""
        from interviewer.practice import read_practice

        try:
            return read_practice(self.log, self.environ)
        except LogError as error:
            raise KitError("log", error.message, error.fix) from None

    def sessions(self) -> list[SessionLine]:
        """Return all logged sessions, latest first. Raises: KitError."""
        try:
            return self.log.sessions()
        except LogError as error:
            raise KitError("log", error.message, error.fix) from None

    def met_lately(self) -> tuple[str, ...]:
        """Return the ids of the questions and tasks of the latest sessions. Raises: KitError."""
        return tuple(dict.fromkeys(part for line in self.sessions()[:LATELY] for part in line.parts.split(", ")))

    def unfinished(self) -> SessionLine | None:
        """Return the latest session that can be continued, or None. Raises: KitError."""
        return next((line for line in self.sessions() if line.ended_at is None), None)

    def status(self) -> list[str]:
        """Return one line each about who examines and what runs code, without starting anything."""
        try:
            examiner = self.model_name or "offline examiner: no key needed, listens for phrasings"
        except KitError as error:
            examiner = f"offline examiner, because {error.message}"
        in_process = "a process on this machine; Doctor says how far it is shut in"
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

    def _start(self, plan: Plan, seed: int, device: str = "") -> Interview:
        try:
            session = start_session(
                self.log,
                plan,
                self.questions + self.own_questions.drafts,
                self.tasks,
                self.cast.examiner.name,
                seed,
                calibrations=self.calibrations,
            )
            if device:
                self.log.save_draft(session.id, DEVICE_SLOT, device)
            return self._interview(session)
        except LogError as error:
            raise KitError("log", error.message, error.fix) from None

    def _interview(self, session: Session) -> Interview:
        device = self.log.draft(session.id, DEVICE_SLOT)
        own = {one.id: str(one.folder) for one in self.own_tasks.tasks}
        grader = SandboxGrader(self.grader_client, self.settings.sandbox, self.settings.image, device or "cpu", own)
        kind = Challenge if device else Interview
        # Only here: judgements for `judge` and a calibration must come anew each time.
        paid = paid_in(self.log, session.id)
        cast = cast_for(self.settings, self.model, self.questions, paid) if self.model else self.cast
        return kind(self.log, session, cast, grader, SessionClock())
