"""Wires one running app: settings, bank, tasks, log, grader, examiners; each is imported and made when first used."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from interviewer.content import Content
from interviewer.errors import BadInput, InterviewerError
from interviewer.made_once import made_once

if TYPE_CHECKING:
    from graders.client import GraderClient
    from interviewer.chat.model import ChatModel
    from interviewer.chat.spending import Purse
    from interviewer.config import Folders, Settings
    from interviewer.interview.ports import Cast
    from interviewer.interview.runner import Interview
    from interviewer.log.history import History
    from interviewer.log.progress import KnownContent, Practice
    from interviewer.log.store import PracticeLog, SessionLine
    from interviewer.session.assessment import Calibration
    from interviewer.session.events import Event
    from interviewer.session.plan import Plan, Wishes
    from interviewer.session.state import Session

WATCH_SECONDS = 2.0
LATELY = 12  # sessions


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

    def practice(self) -> Practice:
        """Return what was practiced so far; may take seconds, so not for the event loop. Raises: InterviewerError."""
        from interviewer.log.progress import practice_in

        return practice_in(self.history(), self.known_content, time.time())

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

    def sessions(self) -> list[SessionLine]:
        """Return all logged sessions, latest first. Raises: LogError."""
        return self.log.sessions()

    def met_lately(self) -> tuple[str, ...]:
        """Return the ids of the questions and tasks of the latest sessions. Raises: LogError."""
        return tuple(dict.fromkeys(part for line in self.sessions()[:LATELY] for part in line.parts.split(", ")))

    def unfinished(self) -> SessionLine | None:
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
        from interviewer.sandbox_grader import SandboxGrader

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
