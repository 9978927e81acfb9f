"""Start, resume and load sessions; the first event is logged before anything else happens.

A resumed session continues exactly where its log ends. If a finding is appealed after the session has
ended, the appeal is added to the log and does not change the finding.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graders.client import GraderClient
from graders.verdict import Report
from interviewer.errors import BadInput
from interviewer.interview.challenge import Challenge, challenge_plan
from interviewer.interview.context import AppContext
from interviewer.interview.participants import load_payments, make_participants
from interviewer.interview.runner import Interview, SessionClock
from interviewer.log.errors import LogDamaged
from interviewer.log.store import PracticeLog
from interviewer.session import engine, events
from interviewer.session.assessment import Calibration
from interviewer.session.codec import CodecError
from interviewer.session.engine import InvalidTransition
from interviewer.session.plan import Plan, PlanError, PlanRequest, make_plan
from interviewer.session.question import Question, TaskBrief
from interviewer.session.state import Session

RECENT_DAYS = 30


@dataclass
class SandboxGrader:
    """A grader that runs in the worker with the configured sandbox, on one device, one submission at a time.

    The worker finds shipped tasks by id and alias; `own` maps ids and aliases of the user's own tasks to their folders.
    """

    client: GraderClient
    sandbox: str
    image: str
    device: str = "cpu"
    own: Mapping[str, str] = field(default_factory=dict)

    def grade(self, task: str, source: str) -> Report:
        """Grade a submission and return the report. Raises GradingError if the grader itself failed."""
        name = self.own.get(task, task)
        return self.client.grade(name, source, device=self.device, sandbox=self.sandbox, image=self.image)

    def prepare(self, task: str) -> None:
        """Prepare a warm cell for a submission to this task."""
        self.client.prepare(self.own.get(task, task), self.device)

    def cancel(self) -> None:
        """Cancel the grading run in progress."""
        self.client.cancel()


def new_interview(context: AppContext, request: PlanRequest, seed: int | None = None) -> Interview:
    """Return a new interview after logging its start.

    Raises InterviewerError if the request cannot be satisfied or the log cannot be used.
    """
    # A seed must always give the same plan, so recently asked questions must not affect it.
    request = replace(request, tasks=tuple(map(context.task_names.id_of, request.tasks)))
    planned = replace(request, recent=_asked_recently(context)) if seed is None else request
    plan_seed = secrets.randbelow(2**31) if seed is None else seed
    named = {question.id: question for question in map(context.question, request.questions)}
    pool = {question.id: question for question in context.questions} | named
    try:
        plan = make_plan(tuple(pool.values()), context.tasks, planned, plan_seed)
    except PlanError as error:
        fix = "To see what is available, run interviewer questions or interviewer tasks."
        raise BadInput(str(error), fix, "plan") from None
    return _start(context, plan, plan_seed)


def new_challenge(context: AppContext, tasks: Sequence[str], minutes: float, device: str = "cpu") -> Interview:
    """Return a new timed challenge with these tasks after logging its start.

    Raises InterviewerError if the request cannot be satisfied or the log cannot be used.
    """
    ids = [context.task(task, device).id for task in tasks]
    return _start(context, challenge_plan(ids, minutes), secrets.randbelow(2**31), device)


def resume_interview(context: AppContext, session_id: str) -> Interview:
    """Resume a logged interview.

    Raises BadInput if the session is unknown or finished, and SessionOpen if it is open in another window.
    """
    session = load_session(context.log, session_id)
    if session.is_over:
        raise BadInput(
            f"session {session_id} is finished", f"To see the debrief, run interviewer log {session_id}.", "session"
        )
    # The seconds between the last event and a quit or crash count as used; resuming must not restore them.
    used_seconds = context.log.seconds_since(session_id, session.last_at)
    session = resume_session(context.log, session_id, lambda: time.time() - used_seconds)
    # Save the used seconds for the new event, too: the app may be killed again before it next saves the clock.
    context.log.save_clock(session_id, session.last_at, used_seconds)
    return _run(context, session)


def load_session(log: PracticeLog, session_id: str) -> Session:
    """Return the state of a logged session without changing the log.

    Raises BadInput if there is no such session, and LogError if the log cannot be used.
    """
    try:
        history = log.whole(session_id)
        if not history:
            raise BadInput(f"no session {session_id}", "To list all sessions, run interviewer log.", "session")
        return engine.fold(history)
    except (InvalidTransition, CodecError) as error:
        raise LogDamaged(
            f"session {session_id}: {error}", "The session may come from a different version of interviewer."
        ) from None


def start_session(
    log: PracticeLog,
    plan: Plan,
    questions: tuple[Question, ...],
    tasks: tuple[TaskBrief, ...],
    examiner: str,
    seed: int,
    clock: Callable[[], float] = time.time,
    calibrations: tuple[Calibration, ...] = (),
    device: str = "",
) -> Session:
    """Start a session and log its first event: a challenge graded on `device`, or an interview if `device` is "".

    The event contains only the questions and tasks in the plan. Raises LogError if the log cannot be used.
    """
    wanted = {part.id for part in plan.parts} | set(plan.spare)
    now = clock()
    event = events.SessionStarted(
        at=now,
        session=time.strftime("%Y%m%d-%H%M%S-", time.localtime(now)) + secrets.token_hex(3),
        seed=seed,
        plan=plan,
        questions=tuple(question for question in questions if question.id in wanted),
        tasks=tuple(task for task in tasks if task.id in wanted),
        examiner=examiner,
        calibrations=calibrations,
        device=device,
    )
    session = engine.step(None, event)
    log.claim(session.id)
    log.append(session.id, 0, event)
    return session


def resume_session(log: PracticeLog, session_id: str, clock: Callable[[], float] = time.time) -> Session:
    """Resume a logged session; the time since its last event does not count.

    Raises SessionOpen if the session is open in another window, LogError if the log cannot be used, and
    InvalidTransition if this is not allowed now.
    """
    log.claim(session_id)
    history = log.events(session_id)
    session = engine.fold(history)
    if session.is_over:
        return session
    event = events.Resumed(clock())
    session = engine.step(session, event)
    log.append(session_id, len(history), event)
    # Close the session to observers: earlier observers need a new token.
    log.notes.close(session_id)
    return session


def appeal(
    log: PracticeLog, session: Session, question: str, point: str, why: str, clock: Callable[[], float] = time.time
) -> Session:
    """Log the candidate's reason for contesting a finding, and return the given session with the appeal.

    Raises LogError if the log cannot be used, and InvalidTransition if the session does not allow an appeal now. No
    event is written if an error is raised.
    """
    event = events.Appealed(clock(), question, point, why)
    history = log.events(session.id)
    # Also check against the state in the log, because secrets may be masked in the given session.
    engine.step(engine.fold(history), event)
    changed = engine.step(session, event)
    log.append(session.id, len(history), event)
    return changed


def _asked_recently(context: AppContext) -> tuple[str, ...]:
    """Return the current ids of the questions and tasks asked within the last month, latest session first."""
    asked = context.log.asked_since(time.time() - RECENT_DAYS * 86_400)
    return tuple(dict.fromkeys(map(context.task_names.id_of, asked)))


def _start(context: AppContext, plan: Plan, seed: int, device: str = "") -> Interview:
    session = start_session(
        context.log,
        plan,
        context.questions + context.own_questions.drafts,
        context.tasks,
        context.participants.examiner.name,
        seed,
        calibrations=context.calibrations,
        device=device,
    )
    return _run(context, session)


def _run(context: AppContext, session: Session) -> Interview:
    own = {name: str(task.folder) for task in context.own_tasks.tasks for name in (task.id, *task.aliases)}
    settings, device = context.settings, session.device or "cpu"
    grader = SandboxGrader(context.grader_client, settings.sandbox, settings.image, device, own)
    kind = Challenge if session.is_challenge else Interview
    # Reuse paid model replies only within one session: the `judge` command and calibrations must request new judgments
    # each time.
    try:
        paid = load_payments(context.log, session.id)
        participants = (
            make_participants(settings, context.model, context.questions, paid)
            if context.model
            else context.participants
        )
    except BaseException:
        context.log.release(session.id)
        raise
    participants.start_matcher()
    return kind(context.log, session, participants, grader, SessionClock())
