"""Takes an effect, touches the world, returns an event: the one driver behind every front.

Every event is in the log before its effects run, so a session goes on exactly where the log ends.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable

from graders.errors import GradingError
from interviewer.chat.model import ChatError
from interviewer.chat.spending import Budget
from interviewer.errors import journal
from interviewer.examiner.voice import Speech, improvise_question
from interviewer.interview.observers import LiveSession
from interviewer.interview.ports import Frontend, Grader, Participants
from interviewer.log.store import PracticeLog
from interviewer.session import effects, engine, events
from interviewer.session.assessment import Assessment
from interviewer.session.move import Move, MoveKind
from interviewer.session.scoring import open_points
from interviewer.session.state import OFFLINE, Awaiting, SelfMark, Session

MODEL_FAILURES_MAX = 2
# Hints are proved not to leak, verdicts and openings are facts: those are said in the bank's own words.
_REWORDED = frozenset(
    {MoveKind.NEXT, MoveKind.DEEPER, MoveKind.PROBE, MoveKind.CHALLENGE, MoveKind.DOUBT, MoveKind.CLARIFY}
)


class Interview:
    """Run one session: log and fold events, carry out effects, keep drafts."""

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
        self._count = len(log.events(session.id))
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._failures = Counter[str]()
        self._budget = Budget(participants.voice, participants.cap, participants.paid)
        self._prepared = ""
        self.live: LiveSession | None = None

    def answer(self, text: str) -> None:
        """Record what the candidate typed; `run_until_input` then judges it."""
        self._tell(events.CandidateSaid(self._clock(), text))
        # Only now: cleared before the event was written, a kill in between would lose the answer.
        self.save_draft("answer", "")

    def take_back(self, draft: str) -> None:
        """Record that the last answer stands no longer; `draft` is what the box holds then. Raises: OutOfTurn."""
        # The draft first, so that a kill in between loses nothing; the judge last: stopped before, another took over.
        self.save_draft("answer", draft)
        self._tell(events.AnswerTakenBack(self._clock()))
        self._stop.set()

    def submit(self, source: str) -> None:
        """Record a submission; `run_until_input` then grades it."""
        self._tell(events.Submitted(self._clock(), source))

    def mark(self, marks: tuple[SelfMark, ...]) -> None:
        """Record the candidate's own marks for the question just left."""
        self._tell(events.SelfMarked(self._clock(), marks))

    def appeal(self, question: str, point: str, why: str) -> None:
        """Record why the candidate contests what was found for a point; "" takes an appeal back. Raises: OutOfTurn."""
        self._tell(events.Appealed(self._clock(), question, point, why))

    def hint(self) -> None:
        """Record that a hint was asked for; `run_until_input` then gives it."""
        self._tell(events.HintAsked(self._clock()))

    def skip(self) -> None:
        """Record that the candidate leaves this part."""
        self._tell(events.SkipAsked(self._clock()))

    def end(self) -> None:
        """Record that the candidate ends the session, whatever is under way."""
        # In this order: stopped first, the driver could begin with its next effect before it knows of the end.
        self._tell(events.EndAsked(self._clock()))
        self.stop()

    def go_live(self, token: str = "") -> None:
        """Open the session to observers who have the door's token; once open it stays so. Raises: LogError.

        `token` is one that this candidate had handed out before; by default there is a new one.
        """
        self.live = self.live or LiveSession(self._log.notes, self.session.id, token=token)

    def stop(self) -> None:
        """Cut short what is being said, judged or graded; what was said so far is kept."""
        self._stop.set()
        self._grader.cancel()

    def save_draft(self, slot: str, text: str) -> None:
        """Keep what is being typed in this slot ("answer", or "code:" and the task's id)."""
        self._log.save_draft(self.session.id, slot, text)

    def draft(self, slot: str) -> str:
        """Return the last draft of a slot; empty when there is none."""
        text = self._log.draft(self.session.id, slot)
        was_sent = slot == "answer" and text == self.session.last_said(by_interviewer=False)
        return "" if was_sent else text

    def save_clock(self) -> None:
        """Note how many seconds have run since the last event; after a kill they count as used. Raises: LogError."""
        session = self.session
        if not session.is_over:
            self._log.save_clock(session.id, session.last_at, max(0.0, self._clock() - session.last_at))

    @property
    def seconds_left(self) -> float:
        """Return what is left of the session's time, with the seconds since the last event counted."""
        running = 0.0 if self.session.is_over else max(0.0, self._clock() - self.session.last_at)
        return 60 * self.session.plan.minutes - self.session.elapsed_seconds - running

    @property
    def spend(self) -> str:
        """Return what the language model used in this session, in one line; empty without a model."""
        return str(self._budget.used) if self._participants.voice else ""

    def run_until_input(self, front: Frontend) -> None:
        """Carry out what is pending until it is the candidate's turn or the session is over. Blocks."""
        if self._participants.voice:
            self._participants.voice.notice, self._participants.voice.waits = front.notice, front.model_waits
        while True:
            self._stop.clear()
            self._retire_model(front)
            self._take_notes()
            before = self.session
            effect = effects.pending_effect(before)
            event = self._perform(effect, front) if effect else None
            if event is None:
                self._expect_submission()
                return
            with self._lock:
                # The session may have been ended while this ran: what came too late is dropped, not an error.
                if self.session is before:
                    self._record(event)
            self._budget.keep()

    def _expect_submission(self) -> None:
        if self.session.awaiting is Awaiting.SUBMISSION and self.session.work.task != self._prepared:
            self._prepared = self.session.work.task
            self._grader.prepare(self._prepared)

    def _take_notes(self) -> None:
        """Record what observers wrote. Only between two effects: what one of them made would else come too late."""
        while self.live:
            with self._lock:
                event = self.live.next_event(self.session, self._clock())
                if event is None:
                    return
                self._record(event)

    def _tell(self, event: events.Event) -> None:
        with self._lock:
            self._record(event)

    def _record(self, event: events.Event) -> None:
        if isinstance(event, events.Assessed):
            event = engine.with_decision(self.session, event)
        changed = engine.step(self.session, event)
        self._log.append(self.session.id, self._count, event)
        self._count += 1
        self.session = changed

    def _perform(self, effect: effects.Effect, front: Frontend) -> events.Event | None:
        match effect:
            case effects.Say(move):
                return self._say(move, front)
            case effects.Assess():
                front.busy_with("listening")
                assessment = self._assess(effect, front)
                front.busy_with("")
                return events.Assessed(self._clock(), assessment)
            case effects.Grade(task, source):
                front.busy_with("grading")
                event = self._grade(task, source)
                front.busy_with("")
                return event
            case effects.AskSelfMarks():
                return None

    def _say(self, move: Move, front: Frontend) -> events.Event:
        front.words_begin(move)
        voice = None if self.session.examiner == OFFLINE else self._participants.voice
        turns = [(turn.is_interviewer, turn.text) for turn in self.session.transcript]
        if voice is None or move.kind not in _REWORDED:
            text = move.text
            if voice is not None and move.kind is MoveKind.IMPROVISE:
                opened_with = self.session.question(self.session.drill.question).prompt
                text = (
                    improvise_question(voice, opened_with, turns, self._participants.manner.text, self._stop.is_set)
                    or text
                )
            front.words_come(text)
            front.words_end()
            return events.InterviewerSaid(self._clock(), move.kind, text)
        speech = Speech(voice, move, turns, self._participants.manner, open_points(self.session))
        for piece in speech.pieces(self._stop.is_set):
            front.words_come(piece)
        if speech.failure:
            self._failures["voice"] += 1
            said = f"{speech.failure.message} {speech.failure.fix}{journal.id_note(speech.failure)}"
            front.notice(f"{said} The bank's own words are used.")
        elif not self._stop.is_set():
            self._failures["voice"] = 0
        front.words_end()
        return events.InterviewerSaid(self._clock(), move.kind, speech.text, speech.is_cut)

    def _assess(self, effect: effects.Assess, front: Frontend) -> Assessment:
        question = self.session.question(effect.question)
        examiner = self._participants.offline if self.session.examiner == OFFLINE else self._participants.examiner
        assessment = examiner.assess(question, effect.asked, effect.answer, self._stop.is_set)
        if assessment.is_graded or examiner is self._participants.offline:
            self._failures["judge"] = 0
            return assessment
        if effect != effects.pending_effect(self.session):
            return assessment  # taken back meanwhile, so it is dropped, and nothing else judges it
        instead = self._participants.offline.assess(question, effect.asked, effect.answer)
        if not instead.is_graded:
            return assessment
        # Stopping the judge is the candidate's choice, not the model's failure.
        self._failures["judge"] += not self._stop.is_set()
        kept = "" if self._stop.is_set() else journal.id_note(ChatError(assessment.why_not, ""), "ungraded")
        front.notice(f"{assessment.why_not}{kept} The offline examiner judged this answer instead.")
        return instead

    def _grade(self, task: str, source: str) -> events.Event:
        try:
            report = self._grader.grade(task, source)
        except GradingError as error:
            return events.GradingFailed(self._clock(), error.kind, error.message, error.fix + journal.id_note(error))
        return events.Graded(self._clock(), report)

    def _retire_model(self, front: Frontend) -> None:
        """Let the offline examiner serve for the rest, logged, once the model failed too often or its cap is reached.

        Only between two effects: a judgement that is under way is paid for, and is finished.
        """
        if self.session.examiner == OFFLINE or self.session.is_over:
            return
        why = self._budget.why_over()
        # Counted apart: words that come well must not hide a model that can never judge.
        if self._failures.total() >= MODEL_FAILURES_MAX:
            why = f"{self.session.examiner} failed {self._failures.total()} times running"
        if why:
            self._tell(events.ExaminerChanged(self._clock(), OFFLINE, why))
            front.notice(f"The offline examiner serves from here on: {why}.")
