"""The state of a session and its parts: frozen dataclasses that are built only by applying events."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import takewhile

from graders.verdict import Diagnosis, Report, Verdict
from interviewer.session.assessment import Assessment, Belief, Calibration, CheckResult, State
from interviewer.session.move import Move, MoveKind
from interviewer.session.plan import OFFER_MINUTES_MIN, Part, Plan
from interviewer.session.question import DrawnCheck, Point, Question, Rung, TaskBrief

OFFLINE = "offline"
# The reason that is recorded when the candidate skips a question.
SKIPPED = "skipped"
# Reasons for leaving a question before the interviewer has finished it.
LEFT_EARLY = (SKIPPED, "time", "ended")


@dataclass(frozen=True)
class SelfMark:
    """The candidate's own mark for one point."""

    point: str
    state: State


@dataclass(frozen=True)
class Appeal:
    """The candidate's reason for contesting the finding for one point; an appeal never changes the finding."""

    point: str
    why: str


@dataclass(frozen=True)
class Credit:
    """The best state of one point across all answers to a question, with the quote and a language model's reason."""

    point: str
    state: State
    quote: str
    why: str = ""


@dataclass(frozen=True)
class Answer:
    """One answer: the rung it counted toward, its weight, and whether it passed that rung (None: not judged).

    If `is_decisive` is true, only this answer counts toward the rung's result, because it answers a check or abandons a
    right answer.
    """

    asked: str
    text: str
    rung: int
    weight: float
    assessment: Assessment
    has_passed: bool | None
    is_decisive: bool = False

    @property
    def is_to_check(self) -> bool:
        """Return whether this is an answer to a check."""
        return self.assessment.check is not CheckResult.NONE


@dataclass(frozen=True)
class Challenged:
    """One right answer that the interviewer questioned, and whether the candidate stood by it (None: unclear)."""

    rung: int
    quote: str
    stood: bool | None = None


@dataclass(frozen=True)
class Contradiction:
    """A point that an answer was found to contradict, and that the candidate was then asked about.

    `quote` is what the candidate said. `is_corrected` is true if the answer to that follow-up showed the point.
    """

    point: str
    quote: str
    is_corrected: bool = False


@dataclass(frozen=True)
class Drill:
    """The candidate's progress on one question.

    `rung` is the current rung. `failed` lists the rungs that were failed. After the question ends, `broke_at` is the
    lowest failed rung that was not passed later. `pumped`, `hints` and `halved` list the rungs at which the candidate
    got encouragement, a hint, or half of a sentence to complete. If the candidate got the same kind of help several
    times at a rung, the rung is listed that many times. `is_closing` is true while the interviewer asks about one last,
    easier rung. `explained` lists the rung of each answer that only asked a question and got a reply. `recited` lists
    the rungs at which the candidate repeated the question bank's text almost word for word; it does not affect the
    score. `doubts` lists the right answers that the interviewer questioned. `improvised` is true after an improvised
    question, that is, a question that is not on the ladder; an improvised question earns no credit. `checked` lists the
    indices of the checks that were asked; if a check is asked again with new inputs, its index is listed again.
    `corrected` lists the misconceptions that the candidate corrected when asked about them. `contradictions` lists the
    contradicted points that the candidate was asked about; each point appears once.
    """

    question: str
    rung: int = 0
    credits: tuple[Credit, ...] = ()
    answers: tuple[Answer, ...] = ()
    used_probes: tuple[int, ...] = ()
    exposed: tuple[str, ...] = ()
    beliefs: tuple[Belief, ...] = ()
    pumped: tuple[int, ...] = ()
    hints: tuple[int, ...] = ()
    recited: tuple[int, ...] = ()
    doubts: tuple[Challenged, ...] = ()
    improvised: bool = False
    checked: tuple[int, ...] = ()
    corrected: tuple[str, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    halved: tuple[int, ...] = ()
    is_closing: bool = False
    clarified: tuple[int, ...] = ()
    explained: tuple[int, ...] = ()
    failed: tuple[int, ...] = ()
    broke_at: int | None = None
    self_marks: tuple[SelfMark, ...] | None = None
    is_over: bool = False
    left_why: str = ""
    appeals: tuple[Appeal, ...] = ()

    @property
    def unread_answers(self) -> tuple[Answer, ...]:
        """Return the answers to the open check that did not decide it, newest first, and questions about the check."""
        return tuple(takewhile(lambda answer: answer.is_to_check and answer.has_passed is None, reversed(self.answers)))

    def credit_of(self, point_id: str) -> Credit | None:
        """Return the credit for a point, or None."""
        return next((credit for credit in self.credits if credit.point == point_id), None)

    def is_credited(self, point_id: str) -> bool:
        """Return whether a point has earned credit, in full or in part."""
        credit = self.credit_of(point_id)
        return credit is not None and credit.state.credit > 0

    def contradiction_of(self, point_id: str) -> Contradiction | None:
        """Return the contradiction that the candidate was asked about for this point, or None."""
        return next((found for found in self.contradictions if found.point == point_id), None)

    def appeal_of(self, point_id: str) -> str:
        """Return why the candidate contests the finding for a point; "" if there is no appeal."""
        return next((appeal.why for appeal in self.appeals if appeal.point == point_id), "")


@dataclass(frozen=True)
class Decision:
    """The drill's state after an answer, and the next move; if the move is None, the question is over."""

    drill: Drill
    move: Move | None


@dataclass(frozen=True)
class ObserverMark:
    """An observer's mark for one of a question's points."""

    question: str
    point: str
    state: State
    who: str


@dataclass(frozen=True)
class ObserverState:
    """What observers have asked and marked so far.

    `asked` is the number of the last note from which a question was taken, and `marked` is the number of the last note
    from which marks were taken. `held` is the interviewer's move that was postponed so that the observer's last
    question could be asked first. `marks` has at most one mark per point.
    """

    asked: int = 0
    marked: int = 0
    held: Move | None = None
    marks: tuple[ObserverMark, ...] = ()

    def state_of(self, question: str, point: str) -> State | None:
        """Return the observer's mark for a point, or None."""
        return next((mark.state for mark in self.marks if (mark.question, mark.point) == (question, point)), None)

    def with_marks(self, marks: tuple[ObserverMark, ...]) -> tuple[ObserverMark, ...]:
        """Return the existing marks plus the new marks; a later mark replaces an earlier mark for the same point."""
        known = {(mark.question, mark.point): mark for mark in (*self.marks, *marks)}
        return tuple(known.values())


class Awaiting(StrEnum):
    """What the session is waiting for.

    The runner provides the interviewer's words, assessments and verdicts; the candidate provides all other input.
    """

    WORDS = "words"
    ANSWER = "answer"
    ASSESSMENT = "assessment"
    SUBMISSION = "submission"
    VERDICT = "verdict"
    SELF_MARKS = "self_marks"
    OFFER = "offer"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Turn:
    """One utterance. `part` is the index of the utterance's part in the plan."""

    at: float
    is_interviewer: bool
    text: str
    part: int
    move: MoveKind | None = None
    is_cut: bool = False


@dataclass(frozen=True)
class AnswerSnapshot:
    """The state before the last answer, which is restored if the candidate retracts that answer.

    `turns` is the number of turns in the transcript, and `answered` is the move that the candidate answered.
    """

    turns: int
    drill: Drill
    answered: Move


@dataclass(frozen=True)
class TakenBack:
    """A retracted answer, and the reply to it if there was one."""

    answer: Turn
    reply: Turn | None = None


@dataclass(frozen=True)
class Attempt:
    """One submission and its result: a report, an internal error, or neither while it is being graded."""

    at: float
    source: str
    report: Report | None = None
    failure: str = ""

    @property
    def has_loaded(self) -> bool:
        """Return whether the code could be imported; only then does the attempt count as a submission."""
        return self.report is None or self.report.has_loaded


@dataclass(frozen=True)
class TaskWork:
    """The work on one task. `opened_seconds` is the session's elapsed time when the task was opened."""

    task: str
    opened_seconds: float = 0.0
    closed_seconds: float | None = None
    attempts: tuple[Attempt, ...] = ()
    hints: int = 0
    is_over: bool = False

    @property
    def submissions(self) -> tuple[Attempt, ...]:
        """Return the attempts that count as submissions; attempts whose code could not be imported are excluded."""
        return tuple(attempt for attempt in self.attempts if attempt.has_loaded)

    @property
    def has_passed(self) -> bool:
        """Return whether any attempt at the task passed."""
        return any(attempt.report is not None and attempt.report.verdict is Verdict.PASSED for attempt in self.attempts)


@dataclass(frozen=True)
class PointRef:
    """A point from one of this session's questions."""

    question: str
    point: str

    @property
    def id(self) -> str:
        """Return the id under which a model refers to the point."""
        return f"{self.question}/{self.point}"


@dataclass(frozen=True)
class SummarySentence:
    """One sentence from a model's summary or study plan, and the points that the sentence refers to."""

    text: str
    points: tuple[PointRef, ...]


@dataclass(frozen=True)
class Summary:
    """A model's summary of a finished session; our code has dropped every sentence that the points do not support.

    `author` is the model's name. Both lists are empty if every sentence was dropped.
    """

    author: str
    sentences: tuple[SummarySentence, ...] = ()
    plan: tuple[SummarySentence, ...] = ()


@dataclass(frozen=True)
class Explanation:
    """A model's text about a missed point, requested by the candidate in the debrief."""

    ref: PointRef
    author: str
    text: str


@dataclass(frozen=True)
class PracticeTry:
    """One more answer to a rung's question, given in the debrief.

    The answer is judged, but it does not change the session's results.
    """

    ref: PointRef
    rung: int
    asked: str
    text: str
    assessment: Assessment


@dataclass(frozen=True)
class Session:
    """A whole session. `part` is an index into the plan's parts.

    `drills` has one entry for each question that was started, and `works` one for each task.

    `elapsed_seconds` excludes the time between a stop and a resume. `device` is the device that grades a challenge, ""
    in an interview.
    """

    id: str
    seed: int
    plan: Plan
    questions: tuple[Question, ...]
    tasks: tuple[TaskBrief, ...]
    examiner: str
    started_at: float
    last_at: float
    elapsed_seconds: float = 0.0
    part: int = -1
    part_began_seconds: float = 0.0
    drills: tuple[Drill, ...] = ()
    works: tuple[TaskWork, ...] = ()
    transcript: tuple[Turn, ...] = ()
    awaiting: Awaiting = Awaiting.NOTHING
    move: Move | None = None
    answered: Move | None = None
    notices: tuple[str, ...] = ()
    calibrations: tuple[Calibration, ...] = ()
    observed: ObserverState = field(default_factory=ObserverState)
    sent: AnswerSnapshot | None = None
    taken_back: tuple[TakenBack, ...] = ()
    device: str = ""
    summary: Summary | None = None
    explanations: tuple[Explanation, ...] = ()
    practice: tuple[PracticeTry, ...] = ()

    @property
    def is_challenge(self) -> bool:
        """Return whether this is a timed challenge instead of an interview."""
        return self.device != ""

    @property
    def calibration(self) -> Calibration | None:
        """Return the calibration of the current examiner, or None if this examiner was never calibrated."""
        return next((calibration for calibration in self.calibrations if calibration.examiner == self.examiner), None)

    @property
    def is_over(self) -> bool:
        """Return whether the session is finished."""
        return self.awaiting is Awaiting.NOTHING and self.part >= 0

    @property
    def is_time_up(self) -> bool:
        """Return whether the time for the current part, or for the session, has run out."""
        part, in_part = self.current_part, self.elapsed_seconds - self.part_began_seconds
        return part is None or in_part > 60 * part.minutes or self.elapsed_seconds > 60 * self.plan.minutes

    @property
    def offered(self) -> Question | None:
        """Return the question to offer if time is left after the plan; None if no question is left."""
        asked = {part.id for part in self.plan.parts}
        left = [name for name in self.plan.spare if name not in asked]
        return self.question(left[0]) if left else None

    @property
    def has_time_for_offer(self) -> bool:
        """Return whether there is a question to offer, and enough time left to answer it."""
        seconds_left = 60 * self.plan.minutes - self.elapsed_seconds
        return self.offered is not None and seconds_left >= 60 * OFFER_MINUTES_MIN

    @property
    def current_part(self) -> Part | None:
        """Return the current part of the plan; None before the first part and after the last."""
        return self.plan.parts[self.part] if 0 <= self.part < len(self.plan.parts) else None

    @property
    def drill(self) -> Drill:
        """Return the current or last drill. Raises IndexError if no drill has begun."""
        return self.drills[-1]

    @property
    def work(self) -> TaskWork:
        """Return the work on the current or last task. Raises IndexError if no task has begun."""
        return self.works[-1]

    @property
    def is_in_task(self) -> bool:
        """Return whether the current part is a coding task."""
        part = self.current_part
        return part is not None and part.kind == "task"

    @property
    def has_passed_task(self) -> bool:
        """Return whether the current part is a coding task that was passed."""
        return self.is_in_task and self.work.has_passed

    @property
    def is_after_pass(self) -> bool:
        """Return whether the current task's last submission passed and the question after the pass is still open."""
        report = self.work.attempts[-1].report if self.is_asked_after_pass else None
        return report is not None and report.verdict is Verdict.PASSED

    @property
    def is_judged_offline(self) -> bool:
        """Return whether the offline examiner is in use and no model judged any answer to a question."""
        judged = (answer.assessment for drill in self.drills for answer in drill.answers)
        is_by_model = any(assessment.is_graded and assessment.judge != OFFLINE for assessment in judged)
        return self.examiner == OFFLINE and not is_by_model

    @property
    def is_asked_after_pass(self) -> bool:
        """Return whether the question after a pass is open, even if a later file could not be imported or graded."""
        if not self.is_in_task or self.is_challenge or self.work.is_over or self.work.closed_seconds is None:
            return False
        reports = [attempt.report for attempt in self.work.submissions if attempt.report is not None]
        return bool(reports) and reports[-1].verdict is Verdict.PASSED

    def question(self, question_id: str) -> Question:
        """Return a question from this session. Raises KeyError if the session does not have it."""
        return {question.id: question for question in self.questions}[question_id]

    @property
    def asked_check(self) -> DrawnCheck | None:
        """Return the check that the candidate is answering, with its drawn inputs; None for any other question."""
        asked = self.answered
        if asked is None or asked.kind is not MoveKind.CHECK or self.is_in_task:
            return None
        return self.question(self.drill.question).drawn_check(asked.target, self.seed)

    @property
    def first_half(self) -> str:
        """Return the candidate's latest answer to the check being asked if it gave only half of the result, or ""."""
        if self.asked_check is None:
            return ""
        # Questions that the candidate asked about the check may come after this answer.
        unread = self.drill.unread_answers
        return next((answer.text for answer in unread if answer.assessment.check is CheckResult.HALF), "")

    def judged_question(self) -> Question:
        """Return the question whose answer is judged next.

        During a coding task, the question is built from the report and has one point: the mistake in the code. Raises
        KeyError if the question is not in the session.
        """
        if not self.is_in_task:
            return self.question(self.drill.question)
        report = next(attempt.report for attempt in reversed(self.work.submissions) if attempt.report is not None)
        wrong = report.mistake or report.symptoms[0]
        says = wrong.wrong if isinstance(wrong, Diagnosis) else wrong.says
        rung = Rung(wrong.ask, says, (wrong.id,), ())
        brief = self.task(self.work.task)
        return Question(
            id=brief.id,
            area=brief.area,
            level=brief.level,
            topics=brief.topics,
            seeds=(),
            source=(),
            prompt=wrong.ask,
            points=(Point(wrong.id, says, ()),),
            rungs=(rung,),
            probes=(),
            misconceptions=(),
        )

    def task(self, task_id: str) -> TaskBrief:
        """Return a task from this session. Raises KeyError if the session does not have it."""
        return {task.id: task for task in self.tasks}[task_id]

    def title_of(self, part: Part) -> str:
        """Return the title of a question or task from this session. Raises KeyError if the session has no such part."""
        return self.task(part.id).title if part.kind == "task" else self.question(part.id).title

    def last_said(self, *, by_interviewer: bool) -> str:
        """Return the last utterance of the interviewer or of the candidate; "" if there is no such utterance."""
        return next((turn.text for turn in reversed(self.transcript) if turn.is_interviewer is by_interviewer), "")

    def with_drill(self, drill: Drill) -> Session:
        """Return the session with the current drill replaced."""
        return replace(self, drills=(*self.drills[:-1], drill))

    def with_work(self, work: TaskWork) -> Session:
        """Return the session with the current task work replaced."""
        return replace(self, works=(*self.works[:-1], work))
