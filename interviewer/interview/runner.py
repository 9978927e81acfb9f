"""The session runner, shared by all front ends: it executes each effect and records the resulting event.

Every event is written to the log before its effects run, so a resumed session continues exactly where the log ends.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace

from graders.errors import GradingError
from graders.install import installation
from interviewer.chat.model import ChatError, ChatModel
from interviewer.chat.spending import Budget
from interviewer.errors import journal
from interviewer.examiner.check_answers import assess_check
from interviewer.examiner.code_question import CodeQuestion
from interviewer.examiner.examiner import NOTHING_SAID, Conversation, Exchange
from interviewer.examiner.mistake_name import quote_naming
from interviewer.examiner.plain_statements import words_of_question
from interviewer.examiner.statement import quote_statement
from interviewer.examiner.voice import Improvisation, Speech, explain_question, greets
from interviewer.interview.observer_host import LiveSession
from interviewer.interview.ports import Frontend, Grader, Participants
from interviewer.interview.refusals import note_refusal
from interviewer.log.store import PracticeLog
from interviewer.session import engine, events, phrases, policy
from interviewer.session.assessment import Assessment, PointState, State
from interviewer.session.move import Move, MoveKind
from interviewer.session.question import Point, Question
from interviewer.session.scoring import open_points
from interviewer.session.state import OFFLINE, Awaiting, SelfMark, Session

MODEL_FAILURES_MAX = 2
# After this many turns with the offline examiner, the model gets another try.
TURNS_OFFLINE = 2
# The model writes the wording only of these moves. Hints keep the question bank's wording, which was checked for leaks,
# and verdicts and openings keep theirs, because they state facts.
_WORDED = frozenset(
    {
        MoveKind.NEXT,
        MoveKind.DEEPER,
        MoveKind.PROBE,
        MoveKind.CHALLENGE,
        MoveKind.DOUBT,
        MoveKind.CLARIFY,
        MoveKind.EXPLAIN,
        MoveKind.IMPROVISE,
        MoveKind.FINISH,
    }
)
# Explanations are not drafted in advance, because they depend on more than whether the answer covers the rung's points.
_NEVER_DRAFTED = frozenset({MoveKind.EXPLAIN, MoveKind.FINISH})


class Interview:
    """A running session: log and apply events, execute effects, save drafts."""

    def __init__(
        self,
        log: PracticeLog,
        session: Session,
        participants: Participants,
        grader: Grader,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.session = session
        self._log = log
        self._participants = participants
        self._grader = grader
        self._clock = clock
        logged = log.events(session.id)
        self._count = len(logged)
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._failures = ModelFailures()
        # The time that the candidate spends waiting for the model does not count as session time.
        self._waited_seconds = 0.0
        self._waiting_since: float | None = None
        self._drafts: dict[tuple[MoveKind, str], Draft] = {}
        self._has_ended_early = False
        # Whether the candidate has chosen not to wait for the model in this turn.
        self._is_in_a_hurry = False
        self._budget = Budget(participants.voice, participants.cap, participants.paid)
        self._prepared = ""
        self.live: LiveSession | None = None
        changes = [place for place, event in enumerate(logged) if isinstance(event, events.ExaminerChanged)]
        if changes and session.examiner == OFFLINE != participants.examiner.name:
            # The model failed before the session was resumed; it gets another try two turns after that failure.
            self._failures.pause(turn_of(engine.fold(logged[: changes[-1] + 1])))

    def _now(self) -> float:
        since = self._waiting_since
        return (self._clock() if since is None else since) - self._waited_seconds

    @contextmanager
    def _waiting(self, frontend: Frontend, what: str) -> Iterator[None]:
        """Stop the session's clock, and show what the candidate is waiting for."""
        frontend.show_busy(what)
        self._waiting_since = self._clock()
        try:
            yield
        finally:
            self._waited_seconds += self._clock() - self._waiting_since
            self._waiting_since = None

    def answer(self, text: str) -> None:
        """Record the candidate's answer; `run_until_input` then judges it."""
        self._is_in_a_hurry = False
        self._record(events.CandidateSaid(self._now(), text))
        # Clear the draft only after the event is written, so that a crash in between does not lose the answer.
        self.save_draft("answer", "")

    def take_back(self, draft: str) -> None:
        """Retract the last answer and save `draft` as the new draft.

        Raises InvalidTransition if this is not allowed now.
        """
        # Save the draft first, so that a crash loses nothing. Stop the examiner last; otherwise, the offline examiner
        # would judge the answer instead.
        self.save_draft("answer", draft)
        self._record(events.AnswerTakenBack(self._now()))
        self._stop.set()

    def submit(self, source: str) -> None:
        """Record a submission; `run_until_input` then grades it."""
        self._is_in_a_hurry = False
        self._record(events.Submitted(self._now(), source))

    def mark(self, marks: tuple[SelfMark, ...]) -> None:
        """Record the candidate's own marks for the question that just ended."""
        self._record(events.SelfMarked(self._now(), marks))

    def appeal(self, question: str, point: str, why: str) -> None:
        """Record why the candidate contests a finding; "" withdraws the appeal.

        Raises InvalidTransition if this is not allowed now.
        """
        self._record(events.Appealed(self._now(), question, point, why))

    def hint(self) -> None:
        """Record that the candidate asked for a hint; `run_until_input` then gives the hint."""
        self._record(events.HintAsked(self._now()))

    def skip(self) -> None:
        """Record that the candidate skipped this part."""
        self._record(events.SkipAsked(self._now()))

    def end(self) -> None:
        """Record that the candidate has ended the session; allowed while an effect is running."""
        # If `stop` were called first, the runner could start its next effect before the end of the session is recorded.
        self._has_ended_early = True
        self._record(events.EndAsked(self._now()))
        self.stop()

    def ask_more(self) -> None:
        """Record that the candidate accepts the question offered after the plan.

        Raises InvalidTransition if this is not allowed now.
        """
        offered = self.session.offered
        self._record(events.QuestionAdded(self._now(), offered.id if offered else ""))

    def go_live(self, token: str = "") -> None:
        """Open the session to observers who have its token. Raises LogError if the log cannot be used.

        `token` is a token that the candidate has already shared; by default, a new one is created.
        """
        self.live = self.live or LiveSession(self._log.notes, self.session.id, token=token)

    def end_live(self) -> None:
        """Close the session to all observers; their token is no longer valid.

        Raises LogError if the log cannot be used.
        """
        if self.live:
            self.live.close(self.session.observed.asked)
            self.live = None

    def judge_offline(self) -> None:
        """Let the offline examiner judge the answer that the model is judging now."""
        if self.is_model_judging:
            self._is_in_a_hurry = True
            self._stop.set()

    @property
    def is_model_judging(self) -> bool:
        """Return whether the candidate is waiting for the model's judgment of an answer."""
        return self.session.awaiting is Awaiting.ASSESSMENT and self.session.examiner != OFFLINE

    def stop(self) -> None:
        """Interrupt the current message, judgment or grade; the partial message is kept."""
        self._stop.set()
        self._grader.cancel()

    def release(self) -> None:
        """Allow other windows to resume the session."""
        self._log.release(self.session.id)

    def save_draft(self, slot: str, text: str) -> None:
        """Save the current text of a slot ("answer", or "code:" and the task id)."""
        self._log.save_draft(self.session.id, slot, text)

    def draft(self, slot: str) -> str:
        """Return the last draft for a slot, or "" if there is none."""
        text = self._log.draft(self.session.id, slot)
        was_sent = slot == "answer" and text == self.session.last_said(by_interviewer=False)
        return "" if was_sent else text

    def save_clock(self) -> None:
        """Save the time since the last event, so that it still counts after a crash.

        Raises LogError if the log cannot be used.
        """
        session = self.session
        if not session.is_over:
            self._log.save_clock(session.id, session.last_at, max(0.0, self._now() - session.last_at))

    @property
    def seconds_left(self) -> float:
        """Return the seconds left in the session, counting the seconds since the last event."""
        running = 0.0 if self.session.is_over else max(0.0, self._now() - self.session.last_at)
        return 60 * self.session.plan.minutes - self.session.elapsed_seconds - running

    @property
    def usage_text(self) -> str:
        """Return the language model's usage in this session as a single line; "" without a model."""
        return str(self._budget.used) if self._participants.voice else ""

    def run_until_input(self, frontend: Frontend) -> None:
        """Execute pending effects until it is the candidate's turn or the session is over. Blocks."""
        if self._participants.voice:
            self._participants.voice.notice, self._participants.voice.waits = frontend.notice, frontend.show_model_wait
            if self.session.transcript and not self.session.is_over:
                # Load the model's library now, so that the judgment of a resumed session's first answer does not have
                # to wait for it.
                self._participants.voice.warm_up()
        while True:
            self._stop.clear()
            self._check_model(frontend)
            self._record_notes()
            before = self.session
            try:
                effect = engine.pending_effect(before)
                event = self._perform(effect, frontend) if effect else None
                if event is None:
                    self._prepare_grader()
                    return
                with self._lock:
                    # If the session changed while the effect was running, drop the effect's event without raising an
                    # error.
                    if self.session is before:
                        self._append(event)
            finally:
                # If the candidate leaves, the effect raises an error, but its model calls are billed.
                self._budget.keep()

    def _prepare_grader(self) -> None:
        if self.session.awaiting is Awaiting.SUBMISSION and self.session.work.task != self._prepared:
            self._prepared = self.session.work.task
            self._grader.prepare(self._prepared)

    def _record_notes(self) -> None:
        """Record the observers' notes.

        Only allowed between effects (such as judging an answer): a recorded note changes the session, so the event of
        an effect that is still running would be dropped.
        """
        # The candidate may close the session to observers at any time.
        while live := self.live:
            with self._lock:
                event = live.next_event(self.session, self._now())
                if event is None:
                    return
                self._append(event)

    def _record(self, event: events.Event) -> None:
        with self._lock:
            self._append(event)

    def _append(self, event: events.Event) -> None:
        if isinstance(event, events.Assessed):
            event = engine.with_decision(self.session, event)
        changed = engine.step(self.session, event)
        self._log.append(self.session.id, self._count, event)
        self._count += 1
        self.session = changed

    def _perform(self, effect: engine.Effect, frontend: Frontend) -> events.Event | None:
        match effect:
            case engine.Say(move):
                return self._say(move, frontend)
            case engine.Assess():
                if self.session.examiner == OFFLINE:
                    frontend.show_busy("listening")
                    assessment = self._assess(effect, frontend)
                else:
                    with self._waiting(frontend, "judging"):
                        assessment = self._assess(effect, frontend)
                frontend.show_busy("")
                return events.Assessed(self._now(), assessment)
            case engine.Grade(task, source):
                with self._waiting(frontend, "grading" if installation() is None else "installing"):
                    event = self._grade(task, source)
                frontend.show_busy("")
                return event
            case engine.AskSelfMarks():
                return None

    def _say(self, move: Move, frontend: Frontend) -> events.Event:
        is_offline = self.session.examiner == OFFLINE or self._is_in_a_hurry
        voice = None if is_offline else self._participants.voice
        # The first question does not wait for the model's library: unless the library is already imported, the question
        # is asked in the bank's wording, and the library is imported while the candidate reads it.
        is_first = voice is not None and not self.session.transcript and not self.session.is_challenge
        if voice is not None and not voice.warm_up() and not self.session.transcript:
            voice = None
        if is_first:
            move = replace(move, lead=phrases.GREETING)
        if voice is not None:
            move = self._with_explanation(voice, move, frontend)
        text, lead = move.text, ""
        if voice is not None and self._is_worded(move):
            # The lead-in does not come from the model, so it is shown while the model is still generating the rest.
            if move.lead and move.words and move.kind is not MoveKind.EXPLAIN and not greets(move):
                lead = f"{move.lead}\n\n"
                frontend.begin_message(move)
                frontend.stream_text(lead)
            with self._waiting(frontend, "speaking" if lead else "wording"):
                text = self._worded(voice, move, frontend)
        if not lead:
            frontend.begin_message(move)
        frontend.stream_text(text.removeprefix(lead))
        frontend.end_message()
        return events.InterviewerSaid(self._now(), move.kind, text)

    def _is_worded(self, move: Move) -> bool:
        """Return whether the language model writes the wording of this move.

        In a coding task, the model does not word the replies, because its wording could give the fix away. The model
        also does not word the closing move of a challenge, or of a session that the candidate ended, because nobody
        wants to wait for a closing message.
        """
        if move.kind is MoveKind.VERDICT:
            return self.session.is_after_pass
        if move.kind is MoveKind.FINISH:
            return not self._has_ended_early and not self.session.is_challenge
        return _may_be_worded(move) and not (self.session.is_in_task and move.kind is MoveKind.CLARIFY)

    def _worded(self, voice: ChatModel, move: Move, frontend: Frontend) -> str:
        """Return the text of a move in the model's words or, if those cannot be used, in the question bank's words."""
        drafts, self._drafts = self._drafts, {}
        draft = drafts.pop((move.kind, move.words), None)
        for other in drafts.values():
            other.drop()
        if draft and (words := draft.words_if_sayable(open_points(self.session))):
            self._note_failure(None, "", frontend)
            return replace(move, words=words).text
        if draft:
            self._note_refusal(voice, move, draft.violation)
        if move.kind is MoveKind.VERDICT:
            return self._about_code(voice, move, frontend)
        manner = self._participants.manner
        turns = [(turn.is_interviewer, turn.text) for turn in self.session.transcript]
        if move.kind is MoveKind.IMPROVISE:
            improvisation = self._improvisation(voice, turns)
            improvisation.spoken(self._stop.is_set)
            words = improvisation.words_if_sayable(open_points(self.session))
            self._note_failure(improvisation.failure, "The interview continues without this question.", frontend)
            self._note_refusal(voice, move, improvisation.violation)
            return replace(move, words=words or move.words).text
        if move.kind is MoveKind.EXPLAIN:
            return replace(move, lead=self._explanation(voice, move, frontend) or move.lead).text
        speech = Speech(
            voice,
            move,
            turns,
            manner,
            open_points(self.session),
            self._left_open(move),
            is_after_joke=_was_joke(self.session),
        )
        text = speech.spoken(self._stop.is_set)
        self._note_failure(speech.failure, "The wording from the question bank is used instead.", frontend)
        if not speech.failure and not self._stop.is_set():
            self._note_refusal(voice, move, speech.violation)
        return text

    def _about_code(self, voice: ChatModel, move: Move, frontend: Frontend) -> str:
        """Return the verdict with the model's question about the passing code, or else with the task's own question."""
        work = self.session.work
        statement, source = self.session.task(work.task).statement, work.attempts[-1].source
        question = CodeQuestion(voice, statement, source, self._participants.manner.text)
        words = question.spoken(self._stop.is_set)
        self._note_failure(question.failure, "The task's own question is asked instead.", frontend)
        self._note_refusal(voice, move, question.violation)
        return replace(move, words=words or move.words).text

    def _note_failure(self, failure: ChatError | None, instead: str, frontend: Frontend) -> None:
        """Record and show a failure of the model that words the messages; after a success, clear its failures."""
        if failure:
            self._failures.add("voice", self._turn)
            frontend.notice(f"{failure.message} {failure.fix}{journal.id_note(failure)} {instead}")
        elif not self._stop.is_set():
            self._failures.end("voice")

    def _begin_drafts(self, voice: ChatModel) -> None:
        """Start drafting both likely next questions.

        One is for an answer that covers all points of its rung, and the other is for an answer that covers none of
        them. Judging and wording take about the same time, so a candidate waits half as long if one of the drafts fits.
        """
        manner = self._participants.manner
        turns = [(turn.is_interviewer, turn.text) for turn in self.session.transcript]
        for earlier in self._drafts.values():
            earlier.drop()
        self._drafts = {}
        moves = {(move.kind, move.words): move for move in likely_moves(self.session, self._now())}
        for move in moves.values():
            speech = (
                self._improvisation(voice, turns)
                if move.kind is MoveKind.IMPROVISE
                else Speech(voice, move, turns, manner, still_open=self._left_open(move))
            )
            self._drafts[move.kind, move.words] = Draft(speech, self._stop.is_set)

    def _improvisation(self, voice: ChatModel, turns: Sequence[tuple[bool, str]]) -> Improvisation:
        opened_with = self.session.question(self.session.drill.question).prompt
        return Improvisation(voice, opened_with, turns, self._participants.manner.text)

    def _left_open(self, move: Move) -> list[str]:
        """Return the neutral descriptions (`still_open`) of the points that are still open in the move's rung."""
        if not move.rung or self.session.is_in_task:
            return []
        wanted = self.session.question(self.session.drill.question).rungs[move.rung - 1].points
        return [point.still_open for point in open_points(self.session) if point.id in wanted and point.still_open]

    def _note_refusal(self, voice: ChatModel, move: Move, violation: str) -> None:
        note_refusal(voice.name, f'text for the "{move.kind.value}" move', violation)

    def _explanation(self, voice: ChatModel, move: Move, frontend: Frontend) -> str:
        """Return the model's reply to a clarifying question; "" if it fails or breaks a rule."""
        try:
            reply, violation = self._explained(voice, move)
        except ChatError as error:
            self._note_failure(error, "The prepared reply is used instead.", frontend)
            return ""
        self._note_failure(None, "", frontend)
        self._note_refusal(voice, move, violation)
        return reply

    def _explained(self, voice: ChatModel, move: Move) -> tuple[str, str]:
        if self.session.is_in_task:
            statement = self.session.task(self.session.work.task).statement
            asks = self.session.last_said(by_interviewer=False)
            sentences, violation = quote_statement(voice, statement, asks, self._stop.is_set)
            return phrases.statement_says(sentences) if sentences else "", violation
        drill = self.session.drill
        last = drill.answers[-1]
        opened_with = self.session.question(drill.question).prompt
        said = self.session.last_said(by_interviewer=False)
        # Questions that the candidate asks about an improvised question are not stored with the judged answers.
        asks = last.assessment.asks if last.assessment.asks and last.text == said else said
        manner = self._participants.manner.text
        points = open_points(self.session)
        return explain_question(voice, move, opened_with, asks, manner, points, self._stop.is_set)

    def _with_explanation(self, voice: ChatModel, move: Move, frontend: Frontend) -> Move:
        """Return the move with the model's reply to a question in the last answer, instead of the prepared reply."""
        if self.session.is_in_task or not self.session.drills or not self.session.drill.answers:
            return move
        drill = self.session.drill
        asks = drill.answers[-1].assessment.asks
        replies = (policy.reply_beside(self.session.question(drill.question), asks), phrases.YOUR_READING)
        prepared = next((reply for reply in replies if move.lead.startswith(reply)), "") if asks else ""
        if not prepared or move.kind is MoveKind.EXPLAIN:
            return move
        with self._waiting(frontend, "wording"):
            # The candidate asks about the question just answered, and the move asks the next one.
            asked = replace(move, words=drill.answers[-1].asked, lead=prepared)
            reply = self._explanation(voice, asked, frontend)
        return replace(move, lead=f"{reply or prepared}{move.lead.removeprefix(prepared)}")

    def _assess(self, effect: engine.Assess, frontend: Frontend) -> Assessment:
        question = self.session.judged_question()
        voice = self._participants.voice
        if voice is not None and self._participants.has_drafts and self.session.examiner != OFFLINE:
            self._begin_drafts(voice)
        examiner = self._participants.offline if self.session.examiner == OFFLINE else self._participants.examiner
        assessment = _with_check(
            effect,
            question,
            examiner.assess(question, effect.asked, effect.answer, self._stop.is_set, conversation_of(self.session)),
        )
        if examiner is self._participants.offline:
            return self._with_name(assessment, effect.answer)
        if assessment.is_graded:
            self._failures.end("judge")
            return assessment
        if effect != engine.pending_effect(self.session):
            return assessment  # the answer was retracted in the meantime: the event will be dropped
        offline = _with_check(
            effect, question, self._participants.offline.assess(question, effect.asked, effect.answer)
        )
        if not offline.is_graded:
            return assessment
        # A judgment that was interrupted by the candidate is not a model failure.
        if not self._stop.is_set():
            self._failures.add("judge", self._turn)
        kept = "" if self._stop.is_set() else journal.id_note(ChatError(assessment.why_not, ""), "ungraded")
        frontend.notice(f"{assessment.why_not}{kept} The offline examiner judged this answer instead.")
        return self._with_name(offline, effect.answer)

    def _with_name(self, offline: Assessment, answer: str) -> Assessment:
        """Return the offline judgment, with partial credit for an explanation that names the mistake in the code.

        Only the interviewer's reply depends on this credit.
        """
        if not self.session.is_in_task or not offline.points or offline.points[0].state.credit:
            return offline
        last = self.session.work.submissions[-1]
        if last.report is None or last.report.mistake is None:
            return offline
        mistake = last.report.mistake.id
        quote = quote_naming(mistake, last.source, answer)
        return replace(offline, points=(PointState(mistake, State.PARTIAL, quote),)) if quote else offline

    def _grade(self, task: str, source: str) -> events.Event:
        try:
            report = self._grader.grade(task, source)
        except GradingError as error:
            return events.GradingFailed(self._now(), error.kind, error.message, error.fix + journal.id_note(error))
        return events.Graded(self._now(), report)

    def _check_model(self, frontend: Frontend) -> None:
        """Switch to the offline examiner and log the switch if the model fails too often or the cap is reached.

        A session that is resumed with a different examiner, for example because no model is available now, is switched
        to that examiner: it also determines whether checks are asked and how far an answer counts.

        After a failure, the model is tried again two turns later. This is called only between effects (such as judging
        an answer): a judgment in progress has already been paid for and is allowed to finish.
        """
        if self.session.is_over:
            return
        available = self._participants.examiner.name
        if self.session.examiner not in (OFFLINE, available):
            self._record(events.ExaminerChanged(self._now(), available, "the session was resumed with it"))
            frontend.notice(self.session.notices[-1])
        if self.session.examiner == OFFLINE:
            if self._failures.is_retry_due(self._turn) and not self._budget.session_cap_reason():
                self._failures.begin_retry(self._turn)
                self._record(events.ExaminerChanged(self._now(), available, "the model gets another try"))
            return
        why = self._budget.session_cap_reason()
        if self._failures.turns >= MODEL_FAILURES_MAX:
            why = f"{self.session.examiner} {self._failures.description}"
            self._failures.pause(self._turn)
        if why:
            self._record(events.ExaminerChanged(self._now(), OFFLINE, why))
            frontend.notice(f"Switched to the offline examiner: {why}.")

    @property
    def _turn(self) -> int:
        return turn_of(self.session)


def turn_of(session: Session) -> int:
    """Return the number of the current turn, which begins with an answer."""
    return sum(not turn.is_interviewer for turn in session.transcript)


class Draft:
    """The wording that a model drafts for the interviewer's possible next move, in a separate thread."""

    def __init__(self, speech: Speech | Improvisation, is_cancelled: Callable[[], bool]) -> None:
        self._speech = speech
        self._is_dropped = threading.Event()
        self._is_cancelled = is_cancelled
        self._thread = threading.Thread(target=self._write, daemon=True)
        self._thread.start()

    def _write(self) -> None:
        # If this fails, the runner's thread generates the text again and raises the same error.
        with suppress(Exception):
            self._speech.spoken(lambda: self._is_dropped.is_set() or self._is_cancelled())

    @property
    def violation(self) -> str:
        """Return the problems that the checks found in the text, or "" if there are none."""
        return self._speech.violation

    def drop(self) -> None:
        """Stop generating the wording, because the interviewer's next move is a different one."""
        self._is_dropped.set()

    def words_if_sayable(self, open_points: Sequence[Point]) -> str:
        """Wait for the model's words, and return them; "" if they fail a check or state one of these open points."""
        self._thread.join()
        return self._speech.words_if_sayable(open_points)


def likely_moves(session: Session, at: float) -> list[Move]:
    """Return the likely next moves: one if the answer covers every point of its rung, and one if it covers none."""
    if session.is_in_task or session.answered is None:
        return []
    question = session.question(session.drill.question)
    wanted = question.rungs[max(session.answered.rung, 1) - 1].points
    moves = []
    for shown in (wanted, ()):
        points = tuple(
            PointState(point.id, State.SHOWN if point.id in shown else State.MISSING) for point in question.points
        )
        guess = events.Assessed(at, Assessment(session.examiner, is_graded=True, points=points))
        move = engine.step(session, engine.with_decision(session, guess)).move
        if move is not None and _may_be_worded(move) and move.kind not in _NEVER_DRAFTED:
            moves.append(move)
    return moves


def _with_check(effect: engine.Assess, question: Question, assessment: Assessment) -> Assessment:
    """Return the assessment with the result of the check that the answer responds to, if there is one."""
    if effect.check is None:
        return assessment
    return assess_check(assessment, effect.check, effect.answer, words_of_question(question), effect.first_half)


def _may_be_worded(move: Move) -> bool:
    """Return whether the model may word this move: its kind is one of `_WORDED`, or it encourages without a hint.

    A question that is repeated because there is no hint keeps its wording.
    """
    if move.lead == phrases.NO_HINT_HERE:
        return False
    return move.kind in _WORDED or move.words == phrases.SAY_WHAT_YOU_KNOW


def _was_joke(session: Session) -> bool:
    """Return whether the judge found no point in the last answer, only a joke or an attempt to instruct the judge."""
    if session.is_in_task or not session.drills or not session.drill.answers:
        return False
    last = session.drill.answers[-1].assessment
    is_empty = not last.misconceptions and not any(point.quote for point in last.points)
    return is_empty and not {"off_topic", "instruction"}.isdisjoint(last.flags)


class ModelFailures:
    """Tracks, for each of the model's roles, the turns with a failure since the last success in that role.

    Several failed calls in one turn count as a single failure. Failures are tracked separately for each role: if the
    model always fails as a judge, its successes in wording messages must not hide that.
    """

    def __init__(self) -> None:
        self._turns: dict[str, set[int]] = {}
        self._paused_at: int | None = None
        # The turn before the last retry. All failures before the retry count as a single failure in that turn.
        self._before_retry: int | None = None

    @property
    def turns(self) -> int:
        """Return the length of the latest streak of turns with a failure."""
        return len(self._streak)

    @property
    def description(self) -> str:
        """Describe what happened, in words that can follow the model's name."""
        return "failed again" if self._before_retry in self._streak else f"failed {self.turns} turns in a row"

    @property
    def _streak(self) -> set[int]:
        failed = set().union(*self._turns.values())
        last = max(failed, default=0)
        # A turn without a failure ends the streak, even if the model was not called in that turn.
        return {turn for turn in failed if failed.issuperset(range(turn, last))}

    def add(self, role: str, turn: int) -> None:
        """Record that the model failed in this role and in this turn."""
        self._turns.setdefault(role, set()).add(turn)

    def end(self, role: str) -> None:
        """Clear a role's recorded failures after a success."""
        self._turns.pop(role, None)

    def pause(self, turn: int) -> None:
        """Record that the model is not used from this turn on."""
        self._paused_at = turn

    def is_retry_due(self, turn: int) -> bool:
        """Return whether the model's pause is over."""
        return self._paused_at is not None and turn >= self._paused_at + TURNS_OFFLINE

    def begin_retry(self, turn: int) -> None:
        """Use the model again in this turn; another failure in this turn pauses the model again."""
        # The earlier failures now count as a single failed turn, so another failure in this turn reaches the limit.
        self._before_retry = turn - 1
        self._turns = {role: {turn - 1} for role in self._turns}
        self._paused_at = None


def conversation_of(session: Session) -> Conversation:
    """Return the conversation about the current question before its last answer; empty in a coding task."""
    if session.is_in_task or not session.drills:
        return NOTHING_SAID
    exchanges = tuple(Exchange(answer.asked, answer.text) for answer in session.drill.answers)
    return Conversation(exchanges, tuple(credit.point for credit in session.drill.credits if credit.state.credit))


class SessionClock:
    """The session clock, in seconds since 1970; it stops while paused."""

    def __init__(self, wall: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic) -> None:
        # Read the wall clock only once, so that a change to the system time does not add or remove session time.
        self._began_at = wall()
        self._monotonic = monotonic
        self._zero = monotonic()
        self._paused_at: float | None = None

    def __call__(self) -> float:
        """Return the session time."""
        return self._now() if self._paused_at is None else self._paused_at

    @property
    def is_paused(self) -> bool:
        """Return whether the clock is paused."""
        return self._paused_at is not None

    def pause(self) -> None:
        """Pause the clock."""
        if self._paused_at is None:
            self._paused_at = self._now()

    def resume(self) -> None:
        """Resume the clock at the time of the pause."""
        if self._paused_at is not None:
            self._zero += self._now() - self._paused_at
            self._paused_at = None

    def _now(self) -> float:
        return self._began_at + self._monotonic() - self._zero
