"""Wires one running app: settings, bank, tasks, log, grader, examiners; each is imported and made when first used."""

from __future__ import annotations

import difflib
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from graders.client import GraderClient
from graders.verdict import Report
from interviewer.errors import BadInput, InterviewerError, UnknownName
from interviewer.session.question import TaskBrief
from tasks.task import Task

if TYPE_CHECKING:
    from interviewer.bank.own import OwnQuestions
    from interviewer.chat.model import ChatModel
    from interviewer.chat.spending import Purse
    from interviewer.config import Folders, Settings
    from interviewer.interview.ports import Cast
    from interviewer.interview.runner import Interview
    from interviewer.log.history import History
    from interviewer.log.progress import KnownContent, Progress
    from interviewer.log.store import PracticeLog, SessionRow
    from interviewer.session.assessment import Calibration
    from interviewer.session.events import Event
    from interviewer.session.plan import Plan, Wishes
    from interviewer.session.question import Question
    from interviewer.session.state import Session
    from tasks.own import OwnTasks
T = TypeVar("T")
WATCH_SECONDS = 2.0
LATELY = 12  # sessions


@dataclass
class SandboxGrader:
    """Grade with the settings' sandbox in the worker; one grade at a time.

    The worker knows the tasks that ship by their ids; `own` are the folders of the others.
    """

    client: GraderClient
    sandbox: str
    image: str
    device: str = "cpu"
    own: Mapping[str, str] = field(default_factory=dict)

    def grade(self, task: str, source: str) -> Report:
        """Return the report. Raises: GradingError when our side failed."""
        found = self.own.get(task, task)
        return self.client.grade(found, source, device=self.device, sandbox=self.sandbox, image=self.image)

    def prepare(self, task: str) -> None:
        """Let a warm cell wait for a submission of this task."""
        self.client.prepare(self.own.get(task, task))

    def cancel(self) -> None:
        """Stop the grade that runs."""
        self.client.cancel()


class made_once(cached_property[T]):
    """Make the value when it is first asked for, and only then."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        super().__init__(make)
        self._turn = threading.RLock()

    def __get__(self, instance: object, owner: type | None = None) -> T:  # type: ignore[override]
        """Return the value; once it is made, the instance holds it and this is not called any more."""
        with self._turn:
            return super().__get__(instance, owner)


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


@dataclass
class Kit(Content):
    """Hold what every front needs: content, settings, log, grader and examiners. Close it at the end."""

    settings: Settings
    folders: Folders
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    _warm_cells: str = field(default="", init=False)
    _is_closed: threading.Event = field(default_factory=threading.Event, init=False)

    def use(self, settings: Settings) -> None:
        """Let these settings hold from the next session on."""
        self.settings = settings
        for cached in ("model_name", "model", "cast", "calibrations"):
            self.__dict__.pop(cached, None)

    @made_once
    def log(self) -> PracticeLog:
        """Return the practice log. Raises: LogError."""
        from interviewer.log.store import PracticeLog

        return PracticeLog(self.folders.log_file)

    @made_once
    def grader_client(self) -> GraderClient:
        """Return the client of the grader's child process; the child starts with its first use or `warm_up`."""
        from graders.client import GraderClient

        return GraderClient()

    @cached_property
    def model_name(self) -> str:
        """Return the name of the language model that serves, or "" for none.

        Raises: InterviewerError when one is required and missing.
        """
        from interviewer.interview.participants import chosen_model

        return chosen_model(self.settings, self.environ)

    @cached_property
    def model(self) -> ChatModel | None:
        """Return the language model, or None. Raises: InterviewerError."""
        if not self.model_name:
            return None
        from interviewer.chat.choose import open_model

        try:
            return open_model(self.model_name)
        except (OSError, ValueError) as error:
            fix = "Check --model or INTERVIEWER_MODEL."
            raise InterviewerError(f"{self.model_name}: {error}", fix, "model") from None

    @cached_property
    def cast(self) -> Cast:
        """Return who judges and who speaks. Raises: InterviewerError."""
        from interviewer.interview.participants import cast_for

        return cast_for(self.settings, self.model, self.questions if self.model else ())

    @cached_property
    def calibrations(self) -> tuple[Calibration, ...]:
        """Return what is known of how well the examiners judge, of each that was calibrated as it is now."""
        from interviewer.examiner.calibration.results import calibration_of

        known = {one.id: one for one in self.questions}
        examiners = {one.name: one for one in (self.cast.examiner, self.cast.offline)}
        found = (calibration_of(one, known, self.folders.calibrations_file) for one in examiners.values())
        return tuple(one for one in found if one is not None)

    def purse(self, command: str) -> Purse:
        """Return what counts a command's own calls to the model, which no session makes. Raises: InterviewerError."""
        from uuid import uuid4

        from interviewer.chat.paid import Paid
        from interviewer.chat.spending import Cap, Purse
        from interviewer.interview.participants import paid_in

        if self.model is None:
            return Purse(None, Cap(), Paid())
        return Purse(self.model, self.cast.cap, paid_in(self.log, f"{command} {uuid4().hex}"))

    def new_interview(self, wishes: Wishes, seed: int | None = None) -> Interview:
        """Return a new interview, its start logged. Raises: InterviewerError."""
        from interviewer.session.plan import PlanError, make_plan

        # With a seed the same plan is drawn again, so what was met since has no say.
        wished = replace(wishes, met=self.met_lately()) if seed is None else wishes
        chosen = _fresh_seed() if seed is None else seed
        named = {one.id: one for one in map(self.question, wishes.questions)}
        pool = {one.id: one for one in self.questions} | named
        try:
            plan = make_plan(tuple(pool.values()), self.tasks, wished, chosen)
        except PlanError as error:
            fix = "interviewer questions and interviewer tasks list what there is."
            raise BadInput(str(error), fix, "plan") from None
        return self._start(plan, chosen)

    def new_challenge(self, tasks: Sequence[str], minutes: float, device: str = "cpu") -> Interview:
        """Return a new timed challenge of these tasks, its start logged. Raises: InterviewerError."""
        from interviewer.interview.challenge import challenge_plan

        for task in tasks:
            self.task(task, device)
        return self._start(challenge_plan(tasks, minutes), _fresh_seed(), device)

    def resume(self, session_id: str) -> Interview:
        """Return a logged interview as it stood. Raises: BadInput for an unknown or finished one, LogError."""
        from interviewer.interview.runner import resume_session

        session = self.past(session_id)
        if session.is_over:
            raise BadInput(f"session {session_id} is finished", "interviewer log shows its debrief.", "session")
        # Seconds that ran since the last event, up to leaving or a kill, were used: coming back gives none of them.
        used_seconds = self.log.seconds_since(session_id, session.last_at)
        return self._interview(resume_session(self.log, session_id, lambda: time.time() - used_seconds))

    def past(self, session_id: str) -> Session:
        """Return the state of a logged session, changing nothing. Raises: BadInput, LogError."""
        from interviewer.log.errors import LogDamaged
        from interviewer.session.codec import CodecError
        from interviewer.session.engine import OutOfTurn, fold

        try:
            history = self.log.events(session_id)
            if not history:
                raise BadInput(f"no session {session_id}", "interviewer log lists them.", "session")
            return fold(history)
        except (OutOfTurn, CodecError) as error:
            raise LogDamaged(f"session {session_id}: {error}", "Another version may have written it.") from None

    def practice(self) -> Progress:
        """Return what was practiced so far; may take seconds, so not for the event loop. Raises: InterviewerError."""
        from interviewer.log.progress import progress_of

        return progress_of(self.history(), self.known_content, time.time())

    def history(self) -> History:
        """Return the whole log with secrets masked; may take seconds, so not for the event loop. Raises: LogError."""
        from interviewer.log.history import read_history
        from interviewer.sanitize import masker

        return read_history(self.log, masker(self.environ))

    def events(self, session_id: str) -> list[Event]:
        """Return the events of a session with secrets masked; none for an unknown session. Raises: LogError."""
        from interviewer.sanitize import masker

        return self.log.events(session_id, masker(self.environ))

    def known_content(self) -> KnownContent:
        """Return which questions and tasks can be started, including drafts. Raises: BankError, TaskError."""
        from interviewer.log.progress import KnownContent

        questions = (*self.questions, *self.own_questions.drafts)
        return KnownContent(
            frozenset(question.id for question in questions), {task.id: task.topics for task in self.full_tasks}
        )

    def sessions(self) -> list[SessionRow]:
        """Return all logged sessions, latest first. Raises: LogError."""
        return self.log.sessions()

    def met_lately(self) -> tuple[str, ...]:
        """Return the ids of the questions and tasks of the latest sessions. Raises: LogError."""
        return tuple(dict.fromkeys(part for line in self.sessions()[:LATELY] for part in line.parts.split(", ")))

    def unfinished(self) -> SessionRow | None:
        """Return the latest session that can be continued, or None. Raises: LogError."""
        return next((line for line in self.sessions() if line.ended_at is None), None)

    def status(self) -> list[str]:
        """Return one line each about who examines and what runs code, without starting anything."""
        try:
            examiner = self.model_name or "offline examiner: no key needed, listens for phrasings"
        except InterviewerError as error:
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
        from interviewer.interview.runner import start_session

        session = start_session(
            self.log,
            plan,
            self.questions + self.own_questions.drafts,
            self.tasks,
            self.cast.examiner.name,
            seed,
            calibrations=self.calibrations,
            device=device,
        )
        return self._interview(session)

    def _interview(self, session: Session) -> Interview:
        from interviewer.interview.challenge import Challenge
        from interviewer.interview.clock import SessionClock
        from interviewer.interview.participants import cast_for, paid_in
        from interviewer.interview.runner import Interview

        own = {one.id: str(one.folder) for one in self.own_tasks.tasks}
        device = session.device or "cpu"
        grader = SandboxGrader(self.grader_client, self.settings.sandbox, self.settings.image, device, own)
        kind = Challenge if session.is_challenge else Interview
        # Only here: judgements for `judge` and a calibration must come anew each time.
        paid = paid_in(self.log, session.id)
        cast = cast_for(self.settings, self.model, self.questions, paid) if self.model else self.cast
        return kind(self.log, session, cast, grader, SessionClock())


def _fresh_seed() -> int:
    import secrets

    return secrets.randbelow(2**31)
