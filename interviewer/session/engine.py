"""Computes the next session state from the current state and one event, without a clock, randomness or I/O.

No other module changes the session state.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import singledispatch

from graders.verdict import Verdict
from interviewer.session import events, observer_turns, phrases, policy, revisions
from interviewer.session.assessment import Assessment, error_rate_of
from interviewer.session.move import Move, MoveKind
from interviewer.session.plan import QUESTION_MINUTES, Part
from interviewer.session.question import DrawnCheck
from interviewer.session.scoring import apply_assessment
from interviewer.session.state import (
    OFFLINE,
    SKIPPED,
    Answer,
    Attempt,
    Awaiting,
    Decision,
    Drill,
    Session,
    TaskWork,
    Turn,
)

DOUBT_SHARE = 0.2
ASKING_WORDS_MAX = 15
# The moves that open a part or close the session.
_OPENINGS = frozenset({MoveKind.NEXT, MoveKind.TASK, MoveKind.FINISH})
# A question about the task, with or without a question mark.
_ASKS = re.compile(
    r"[?？]|^\W*(?:(?:please|sorry|hi|hello|and|but|so)\b\W*)*(?:what|which|how|who|where|why|is|are|do|does|can|could"
    r"|should|may|must|will|would|explain|clarify|define|remind)\b|\bunclear\b|\bwhat you mean\b"
    r"|\b(?:don't|do not|didn't|did not) understand\b|\bnot (?:sure|clear) (?:what|which|how|whether|if)\b",
    re.IGNORECASE,
)


class InvalidTransition(ValueError):
    """The event is not allowed in the current state; the state is unchanged."""


@dataclass(frozen=True)
class Say:
    """Say the words of this move (the interviewer's next turn) to the candidate, verbatim or reworded by a model."""

    move: Move


@dataclass(frozen=True)
class Assess:
    """Judge this answer to the question `asked`.

    If that question was a check, `check` is the check with the inputs drawn for it; otherwise, it is None. `first_half`
    is the candidate's previous answer to the check if it gave only half of the result; otherwise, it is "".
    """

    question: str
    asked: str
    answer: str
    check: DrawnCheck | None = None
    first_half: str = ""


@dataclass(frozen=True)
class Grade:
    """Grade this submission."""

    task: str
    source: str


@dataclass(frozen=True)
class AskSelfMarks:
    """Show the points of a question and let the candidate mark the ones they covered."""

    question: str


Effect = Say | Assess | Grade | AskSelfMarks


def step(session: Session | None, event: events.Event) -> Session:
    """Return the state after the event; `pending_effect` returns that state's effect.

    Raises InvalidTransition if the event is not allowed in this state.
    """
    if isinstance(event, events.SessionStarted):
        if session is not None:
            raise InvalidTransition("the session has already started")
        return _start(event)
    if session is None:
        raise InvalidTransition(f"{type(event).__name__} before the session started")
    return _apply(event, _tick(session, event))


def fold(history: Iterable[events.Event]) -> Session:
    """Return the state after all events. Raises InvalidTransition if an event is not allowed or there are no events."""
    session = None
    for event in history:
        session = step(session, event)
    if session is None:
        raise InvalidTransition("no events: the session never started")
    return session


def pending_effect(session: Session) -> Effect | None:
    """Return the effect that must run before the session can continue; None if it is the candidate's turn.

    Effects are derived from the state, so a resumed session runs a pending effect again.
    """
    if session.awaiting is Awaiting.WORDS and session.move is not None:
        return Say(session.move)
    if session.awaiting is Awaiting.ASSESSMENT and session.answered is not None:
        asked = session.answered.words
        answer = session.last_said(by_interviewer=False)
        return Assess(session.judged_question().id, asked, answer, session.asked_check, session.first_half)
    if session.awaiting is Awaiting.VERDICT:
        return Grade(session.work.task, session.work.attempts[-1].source)
    if session.awaiting is Awaiting.SELF_MARKS:
        return AskSelfMarks(session.drill.question)
    return None


def _tick(session: Session, event: events.Event) -> Session:
    is_pause = isinstance(event, events.Resumed) or session.is_over
    gap = 0.0 if is_pause else max(0.0, event.at - session.last_at)
    return replace(session, last_at=event.at, elapsed_seconds=session.elapsed_seconds + gap)


def _start(event: events.SessionStarted) -> Session:
    session = Session(
        id=event.session,
        seed=event.seed,
        plan=event.plan,
        questions=event.questions,
        tasks=event.tasks,
        examiner=event.examiner,
        started_at=event.at,
        last_at=event.at,
        calibrations=event.calibrations,
        device=event.device,
    )
    return _begin_part(session, 0, "")


@singledispatch
def _apply(event: events.Event, session: Session) -> Session:
    raise InvalidTransition(f"unknown event {type(event).__name__}")


@_apply.register
def _apply_interviewer_said(event: events.InterviewerSaid, session: Session) -> Session:
    if event.move in _OPENINGS and _is_open_after_pass(session):
        session = _left_at_pass(session)
    elif event.move in {*_OPENINGS, MoveKind.OFFER} and _was_left_after_pass(session):
        session = _leave_task(session, "")
    if event.move is not MoveKind.OBSERVER:
        session = observer_turns.without_repeat(session)
    # Logs written by earlier versions contain no judgment of the candidate's explanation of a failing case.
    if not (session.awaiting is Awaiting.ASSESSMENT and session.is_in_task):
        _require(session, Awaiting.WORDS, event)
    updated = replace(
        session, transcript=(*session.transcript, _turn(session, event.at, event.text, event.move, event.is_cut))
    )
    if event.move is MoveKind.FINISH:
        return replace(updated, awaiting=Awaiting.NOTHING, move=None, answered=None)
    if event.move is MoveKind.OFFER:
        return replace(updated, awaiting=Awaiting.OFFER, move=None, answered=None)
    awaiting = Awaiting.SUBMISSION if session.is_in_task else Awaiting.ANSWER
    answered = session.move
    is_improvised = session.answered is not None and session.answered.kind is MoveKind.IMPROVISE
    if event.move is MoveKind.EXPLAIN and (session.is_in_task or is_improvised):
        # The question about a failing case, or the improvised question, is still open.
        answered = session.answered
    if event.move is MoveKind.VERDICT and answered is not None and not answered.words and session.is_asked_after_pass:
        # A file that could not be imported or graded leaves the question after the pass open.
        answered = session.answered
    if event.move is MoveKind.HINT and is_improvised and answered is not None:
        # Earlier versions gave a hint for the last rung instead of repeating the improvised question.
        answered = replace(answered, kind=MoveKind.HINT, rung=session.drill.rung)
    if answered is not None and event.move is MoveKind.IMPROVISE:
        answered = replace(answered, words=event.text)  # a model wrote this question; only the event contains its text
    if answered is not None and phrases.AFTER_PASS_LEAD in event.text:
        answered = replace(answered, words=event.text.rpartition(phrases.AFTER_PASS_LEAD)[2].strip())
    return replace(updated, awaiting=awaiting, answered=answered, move=None)


@_apply.register
def _apply_candidate_said(event: events.CandidateSaid, session: Session) -> Session:
    updated = replace(session, transcript=(*session.transcript, _turn(session, event.at, event.text)))
    if session.awaiting is Awaiting.SUBMISSION:
        asked = session.answered
        if session.is_asked_after_pass and asked is not None and asked.kind is not MoveKind.OBSERVER:
            if _asks_about(session, event.text):
                return _say(updated, Move(MoveKind.EXPLAIN, asked.words, phrases.YOUR_READING))
            return _leave_task(updated, phrases.AFTER_PASS_NOTED)
        if _explains_failure(session):
            return replace(updated, awaiting=Awaiting.ASSESSMENT)
        if _ASKS.search(event.text):
            return _say(updated, _about_statement())
        report = session.work.submissions[-1].report if session.work.submissions else None
        has_failed = report is not None and report.verdict is not Verdict.PASSED
        return _say(updated, Move(MoveKind.CLARIFY, phrases.KEEP_CODING if has_failed else phrases.NOTED_CODING))
    _require(session, Awaiting.ANSWER, event)
    if observer_turns.is_observers_turn(session) and session.observed.held is not None:
        if asked := observer_turns.repeat_question(session, is_asking=_asks_about(session, event.text)):
            return _say(updated, asked)
        return _say(updated, session.observed.held)
    if session.answered is not None and session.answered.kind is MoveKind.IMPROVISE:
        if _asks_about(session, event.text):
            return _say(updated, replace(session.answered, kind=MoveKind.EXPLAIN, lead=phrases.YOUR_READING))
        # An improvised question has no rubric points, so its answer cannot be judged.
        unjudged = Assessment("nobody", is_graded=False, why_not=phrases.NEVER_SCORED)
        beyond = Answer(session.answered.text, event.text, 0, 0.0, unjudged, None)
        return _leave_question(updated.with_drill(replace(updated.drill, answers=(*updated.drill.answers, beyond))))
    return replace(updated, awaiting=Awaiting.ASSESSMENT, sent=revisions.snapshot_answer(session))


@_apply.register
def _apply_revision(event: events.AnswerTakenBack | events.Appealed, session: Session) -> Session:
    changed = revisions.revise(session, event)
    if changed is None:
        raise InvalidTransition(f"{type(event).__name__} while the session awaits {session.awaiting.value}")
    return changed


@_apply.register
def _apply_assessed(event: events.Assessed, session: Session) -> Session:
    _require(session, Awaiting.ASSESSMENT, event)
    if session.is_in_task:
        if "asks_back" in event.assessment.flags:
            return _say(session, _about_statement())
        is_offline = event.assessment.judge == OFFLINE
        return _say(session, Move(MoveKind.CLARIFY, phrases.reaction(event.assessment, is_offline=is_offline)))
    drill = _absorbed(session, event.assessment)
    if session.is_time_up:
        return _leave_question(session.with_drill(replace(drill, left_why="time")))
    decision = event.decision or _decision(session, drill)
    # Recompute the credits from the assessments, but keep the logged decision, even if the current `policy` would
    # decide differently.
    whole = replace(decision.drill, answers=drill.answers, credits=drill.credits, beliefs=drill.beliefs)
    after = session.with_drill(whole)
    return _say(after, decision.move) if decision.move else _leave_question(after)


def with_decision(session: Session, event: events.Assessed) -> events.Assessed:
    """Return the event with the current policy's decision added, so that a later policy does not change the replay."""
    if session.is_in_task:
        return event
    decision = _decision(session, _absorbed(session, event.assessment))
    bare = replace(decision.drill, answers=(), credits=(), beliefs=())
    return replace(event, decision=replace(decision, drill=bare))


def _asks_about(session: Session, text: str) -> bool:
    """Return whether the candidate asks about a question whose answer is not judged.

    The interviewer explains such a question only once.
    """
    last = session.transcript[-1] if session.transcript else None
    # A question that was repeated because there is no hint for it has not been explained.
    is_explained = last is not None and last.move is MoveKind.EXPLAIN and not last.text.startswith(phrases.NO_HINT_HERE)
    return not is_explained and len(text.split()) <= ASKING_WORDS_MAX and bool(_ASKS.search(text))


def _is_open_after_pass(session: Session) -> bool:
    """Return whether the interviewer is about to ask the follow-up question after a passing submission."""
    is_next = session.awaiting is Awaiting.WORDS and session.move is not None and session.move.kind is MoveKind.VERDICT
    return is_next and session.is_in_task and session.work.closed_seconds is not None


def _was_left_after_pass(session: Session) -> bool:
    """Return whether an earlier version left the task here: after any words that followed a pass and a resubmission."""
    if not session.is_in_task or session.work.closed_seconds is None:
        return False
    is_reply = session.move is not None and session.move.kind in (MoveKind.CLARIFY, MoveKind.EXPLAIN)
    return session.awaiting is Awaiting.ASSESSMENT or (session.awaiting is Awaiting.WORDS and is_reply)


def _left_at_pass(session: Session) -> Session:
    """Return the session as earlier versions left it after a pass: the task is closed, with no follow-up question."""
    at = session.work.closed_seconds
    assert at is not None
    left = _leave_task(replace(session, elapsed_seconds=at), session.move.lead if session.move else "")
    return replace(left, elapsed_seconds=session.elapsed_seconds)


def _explains_failure(session: Session) -> bool:
    """Return whether the candidate is explaining a failing case whose mistake or symptoms are known."""
    asked = session.answered
    if asked is None or asked.kind is not MoveKind.VERDICT or not asked.words or not session.work.submissions:
        return False
    report = session.work.submissions[-1].report
    return report is not None and bool(report.mistake or report.symptoms)


def _about_statement() -> Move:
    """Return the reply to a question that the candidate asks about a coding task."""
    return Move(MoveKind.EXPLAIN, phrases.GO_ON_CODING, phrases.SEE_STATEMENT)


def _absorbed(session: Session, assessment: Assessment) -> Drill:
    if session.answered is None:
        raise InvalidTransition("an assessment with no open question")
    question = session.question(session.drill.question)
    text = session.last_said(by_interviewer=False)
    return apply_assessment(question, session.drill, session.answered, text, assessment)


def _decision(session: Session, drill: Drill) -> Decision:
    if session.answered is None:
        raise InvalidTransition("an assessment with no open question")
    return policy.decide(session.question(drill.question), drill, session.answered, _decision_context(session))


@_apply.register
def _apply_self_marked(event: events.SelfMarked, session: Session) -> Session:
    _require(session, Awaiting.SELF_MARKS, event)
    known = {point.id for point in session.question(session.drill.question).points}
    for mark in event.marks:
        if mark.point not in known:
            raise InvalidTransition(f"unknown point {mark.point}")
    marked = session.with_drill(replace(session.drill, self_marks=event.marks))
    return _begin_part(marked, session.part + 1, "")


@_apply.register
def _apply_hint_asked(event: events.HintAsked, session: Session) -> Session:
    if session.awaiting is Awaiting.SUBMISSION:
        # After a pass, a hint would only spoil the record of a pass without hints.
        if session.is_asked_after_pass and session.answered is not None:
            return _say(session, Move(MoveKind.EXPLAIN, session.answered.words, phrases.NO_HINT_HERE))
        if session.work.closed_seconds is not None:
            return _say(session, Move(MoveKind.HINT, phrases.NO_HINT_AFTER_PASS))
        work, hints = session.work, session.task(session.work.task).hints
        unnamed = policy.unnamed_report(session)
        lead = phrases.naming(unnamed) if unnamed else ""
        if work.hints >= len(hints):
            return _say(session, Move(MoveKind.HINT, phrases.OUT_OF_HINTS, lead))
        helped = replace(work, hints=work.hints + 1)
        return _say(session.with_work(helped), Move(MoveKind.HINT, hints[work.hints], lead))
    _require(session, Awaiting.ANSWER, event)
    if session.answered is not None and observer_turns.is_observers_turn(session):
        return _say(session, replace(session.answered, lead=phrases.OBSERVERS_QUESTION))
    asked = session.answered or Move(MoveKind.HINT, "")
    question = session.question(session.drill.question)
    drill, move = policy.hint_on_request(question, session.drill, asked, session.seed)
    return _say(session.with_drill(drill), move)


@_apply.register
def _apply_skip_asked(event: events.SkipAsked, session: Session) -> Session:
    if session.awaiting is Awaiting.SUBMISSION:
        return _leave_task(session, "" if session.work.has_passed else phrases.SKIPPED)
    _require(session, Awaiting.ANSWER, event)
    return _leave_question(session.with_drill(_left_early(session.drill, SKIPPED)))


@_apply.register
def _apply_end_asked(event: events.EndAsked, session: Session) -> Session:
    if session.is_over:
        raise InvalidTransition("the session is already over")
    part = session.current_part
    if part is not None and part.kind == "question":
        if session.awaiting is Awaiting.ASSESSMENT and session.answered is not None:
            session = _with_unjudged(session, session.answered)
        session = session.with_drill(replace(_left_early(session.drill, "ended"), is_over=True))
    elif part is not None:
        session = _close_work(session)
    return _finish(session, "")


def _with_unjudged(session: Session, asked: Move) -> Session:
    """Return the session with the answer that was still being judged, so the debrief does not say "not answered"."""
    unjudged = Assessment("nobody", is_graded=False, why_not=phrases.ENDED_UNJUDGED)
    answer = Answer(asked.text, session.last_said(by_interviewer=False), asked.rung, 0.0, unjudged, None)
    return session.with_drill(replace(session.drill, answers=(*session.drill.answers, answer)))


def _left_early(drill: Drill, why: str) -> Drill:
    """Return the drill with the reason why the candidate left it, unless nothing scored was left to answer."""
    is_done = drill.is_over or drill.improvised
    return drill if is_done else replace(drill, left_why=drill.left_why or why)


@_apply.register
def _apply_question_added(event: events.QuestionAdded, session: Session) -> Session:
    _require(session, Awaiting.OFFER, event)
    offered = session.offered
    if offered is None or offered.id != event.question:
        raise InvalidTransition(f"{event.question} was not offered")
    minutes = min(QUESTION_MINUTES, session.plan.minutes - session.elapsed_seconds / 60)
    plan = replace(session.plan, parts=(*session.plan.parts, Part("question", offered.id, minutes)))
    return _begin_part(replace(session, plan=plan), len(plan.parts) - 1, "")


@_apply.register
def _apply_submitted(event: events.Submitted, session: Session) -> Session:
    _require(session, Awaiting.SUBMISSION, event)
    work = session.work
    submitted = replace(work, attempts=(*work.attempts, Attempt(event.at, event.source)))
    return replace(session.with_work(submitted), awaiting=Awaiting.VERDICT)


@_apply.register
def _apply_graded(event: events.Graded, session: Session) -> Session:
    _require(session, Awaiting.VERDICT, event)
    *earlier, last = session.work.attempts
    before = policy.unnamed_report(session.with_work(replace(session.work, attempts=tuple(earlier))))
    work = replace(session.work, attempts=(*earlier, replace(last, report=event.report)))
    graded = session.with_work(work)
    is_named = policy.unnamed_report(graded) is None
    lead = phrases.verdict_lead(event.report, is_named=is_named)
    if (
        before
        and event.report.has_loaded
        and not (is_named and event.report.mistakes)
        and (named := phrases.named_late(before))
    ):
        lead += f"\n\n{named}"
    if event.report.verdict is Verdict.PASSED:
        # A challenge continues immediately because its clock is running.
        if session.is_challenge or session.work.has_passed or graded.is_time_up:
            return _leave_task(graded, lead)
        passed = graded.with_work(replace(work, closed_seconds=graded.elapsed_seconds))
        lead = f"{lead}\n\n{phrases.AFTER_PASS_LEAD}"
        return _say(passed, Move(MoveKind.VERDICT, phrases.after_pass(session.task(work.task)), lead))
    if graded.is_time_up:
        return _leave_task(graded, f"{lead}\n\n{phrases.TIME_FOR_PART}")
    target = event.report.mistake.id if event.report.mistake else ""
    return _say(graded, Move(MoveKind.VERDICT, phrases.verdict_question(event.report), lead, target=target))


@_apply.register
def _apply_grading_failed(event: events.GradingFailed, session: Session) -> Session:
    _require(session, Awaiting.VERDICT, event)
    *earlier, last = session.work.attempts
    work = replace(session.work, attempts=(*earlier, replace(last, failure=event.message)))
    return _say(session.with_work(work), Move(MoveKind.VERDICT, "", phrases.grading_failed(event.message, event.fix)))


@_apply.register
def _apply_examiner_changed(event: events.ExaminerChanged, session: Session) -> Session:
    name = "the offline examiner" if event.examiner == OFFLINE else event.examiner
    notice = f"Examiner is now {name}: {event.why}"
    return replace(session, examiner=event.examiner, notices=(*session.notices, notice))


@_apply.register
def _apply_observer_note(event: events.ObserverAsked | events.ObserverMarked, session: Session) -> Session:
    changed = (
        observer_turns.apply_question(session, event)
        if isinstance(event, events.ObserverAsked)
        else observer_turns.apply_marks(session, event)
    )
    if changed is None:
        raise InvalidTransition(f"{type(event).__name__}, note {event.note}, while awaiting {session.awaiting.value}")
    return changed


@_apply.register
def _apply_afterwards(event: events.Summarized | events.Explained | events.Practiced, session: Session) -> Session:
    if not session.is_over:
        # Ignore the event instead of raising an error, because a later event must not make a session unreadable. For
        # example, an imported session may never have been finished.
        return session
    if isinstance(event, events.Summarized):
        return replace(session, summary=event.summary)
    if isinstance(event, events.Explained):
        return replace(session, explanations=(*session.explanations, event.explanation))
    return replace(session, practice=(*session.practice, event.attempt))


@_apply.register
def _apply_resumed(event: events.Resumed, session: Session) -> Session:
    return session


def _decision_context(session: Session) -> policy.DecisionContext:
    """Return the context for the next decision; its random draw comes from the seed, so the session can be replayed."""
    drill = session.drill
    drawn = random.Random(f"{session.seed}/{drill.question}/{len(drill.answers)}").random()
    return policy.DecisionContext(
        error_rate_of(session.calibration),
        drawn < DOUBT_SHARE,
        may_improvise=session.examiner != OFFLINE,
        needs_checks=session.examiner == OFFLINE,
        seed=session.seed,
    )


def _require(session: Session, awaiting: Awaiting, event: events.Event) -> None:
    if session.awaiting is not awaiting:
        raise InvalidTransition(f"{type(event).__name__} while the session awaits {session.awaiting.value}")


def _turn(session: Session, at: float, text: str, move: MoveKind | None = None, is_cut: bool = False) -> Turn:
    return Turn(at=at, is_interviewer=move is not None, text=text, part=session.part, move=move, is_cut=is_cut)


def _say(session: Session, move: Move) -> Session:
    return replace(session, awaiting=Awaiting.WORDS, move=move)


def _begin_part(session: Session, index: int, lead: str) -> Session:
    seconds_left = 60 * session.plan.minutes - session.elapsed_seconds
    if seconds_left < 0:
        return _finish(session, lead)
    began = replace(session, part=index, part_began_seconds=session.elapsed_seconds, answered=None, sent=None)
    if index >= len(session.plan.parts):
        offered = session.offered
        if offered is None or not session.has_time_for_offer:
            return _finish(session, lead)
        return _say(began, Move(MoveKind.OFFER, phrases.offer(offered.title, seconds_left / 60), lead))
    part = session.plan.parts[index]
    if part.kind == "task":
        work = TaskWork(part.id, opened_seconds=session.elapsed_seconds)
        opening = phrases.open_task(session.task(part.id).title, part.minutes)
        return _say(replace(began, works=(*session.works, work)), Move(MoveKind.TASK, opening, lead, target=part.id))
    drilling = replace(began, drills=(*session.drills, Drill(part.id)))
    return _say(drilling, Move(MoveKind.NEXT, session.question(part.id).prompt, lead, target=part.id))


def _finish(session: Session, lead: str) -> Session:
    ended = replace(
        session,
        part=len(session.plan.parts),
        part_began_seconds=session.elapsed_seconds,
        answered=None,
        sent=None,
    )
    return _say(ended, Move(MoveKind.FINISH, phrases.FINISH, lead))


def _leave_question(session: Session) -> Session:
    left = session.with_drill(replace(session.drill, is_over=True))
    # Only the offline examiner can miss a point because of the answer's wording, so only offline sessions ask
    # candidates to mark their own answers.
    if session.examiner == OFFLINE and session.drill.answers:
        return replace(left, awaiting=Awaiting.SELF_MARKS, move=None)
    return _begin_part(left, session.part + 1, phrases.LEAVE_QUESTION)


def _close_work(session: Session) -> Session:
    work = session.work
    closed = session.elapsed_seconds if work.closed_seconds is None else work.closed_seconds
    return session.with_work(replace(work, is_over=True, closed_seconds=closed))


def _leave_task(session: Session, lead: str) -> Session:
    return _begin_part(_close_work(session), session.part + 1, lead)
