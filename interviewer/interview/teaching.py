"""Handles what follows a session: a model's summary and explanations, and new answers to questions about missed points.

The summary, explanations and new answers are logged separately from the session and change no result.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from interviewer.chat.model import ChatModel
from interviewer.chat.spending import Budget
from interviewer.chat.streaming import never_cancelled
from interviewer.errors import InterviewerError
from interviewer.examiner.explanation import explain_point
from interviewer.examiner.summary import has_enough_points, write_summary
from interviewer.interview.participants import load_payments
from interviewer.interview.refusals import note_refusal
from interviewer.session import engine, events
from interviewer.session.results import Lesson
from interviewer.session.state import Explanation, PracticeTry, Session, Summary

if TYPE_CHECKING:
    from interviewer.interview.context import AppContext

NO_MODEL = "No summary and no study plan: they need a language model."
NOT_JUDGED = "No summary and no study plan: no model judged this session."


class Teacher:
    """Asks the model about finished sessions. Calls block, and their cost counts toward the session's spending cap."""

    def __init__(self, context: AppContext, clock: Callable[[], float] = time.time) -> None:
        self._context = context
        self._clock = clock

    @property
    def model(self) -> ChatModel | None:
        """Return the language model, or None if there is none."""
        try:
            return self._context.model
        except InterviewerError:
            return None

    def why_no_model(self, session: Session) -> str:
        """Return why the model cannot be asked about this session, as a sentence; "" if it can."""
        if self.model is None:
            return NO_MODEL
        if session.is_judged_offline:
            return NOT_JUDGED
        cap = self.cap_reason(session)
        return f"No summary: {cap}." if cap else ""

    def cap_reason(self, session: Session) -> str:
        """Return which spending cap forbids another call; "" if none does."""
        return self._budget(session).session_cap_reason()

    def wants_summary(self, session: Session) -> bool:
        """Return whether there is something to summarize and no summary yet, regardless of whether there is a model."""
        return session.is_over and session.summary is None and has_enough_points(session)

    def summarize(self, session: Session, is_cancelled: Callable[[], bool] = never_cancelled) -> Summary | None:
        """Return a model's summary of a session after logging it; None if `why_no_model` gives a reason.

        An empty summary is logged, too, so that no later debrief pays for it again. Raises ChatError if the model gives
        no usable reply, and LogError if the log cannot be used.
        """
        model, budget = self.model, self._budget(session)
        if model is None or self.why_no_model(session):
            return None
        try:
            summary = write_summary(model, session, is_cancelled, partial(note_refusal, model.name))
        finally:
            budget.keep()
        if not (summary.sentences or summary.plan):
            note_refusal(model.name, "summary", "does not match the results")
        self._context.log.append_afterwards(session.id, events.Summarized(self._clock(), summary))
        return summary

    def refreshed(self, session: Session) -> Session:
        """Return the session, including everything that has been logged since it ended.

        Raises LogError if the log cannot be used.
        """
        bare = replace(session, summary=None, explanations=(), practice=())
        for event in self._context.log.afterwards(session.id):
            bare = engine.step(bare, event)
        return bare

    def explain(
        self, session: Session, lesson: Lesson, is_cancelled: Callable[[], bool] = never_cancelled
    ) -> Explanation | None:
        """Return a model's explanation of a point after logging it, or the explanation that was logged before.

        Return None if there is no model, the cap is reached, or the text fails a check. Raises ChatError if the model
        gives no usable reply, and LogError if the log cannot be used.
        """
        known = [found for found in self.refreshed(session).explanations if found.ref == lesson.ref]
        model, budget = self.model, self._budget(session)
        if known or model is None or budget.session_cap_reason():
            return known[-1] if known else None
        try:
            text = explain_point(model, lesson, is_cancelled)
        finally:
            budget.keep()
        if not text:
            note_refusal(model.name, "explanation", "breaks a rule")
            return None
        explanation = Explanation(lesson.ref, model.name, text)
        self._context.log.append_afterwards(session.id, events.Explained(self._clock(), explanation))
        return explanation

    def try_again(
        self, session: Session, lesson: Lesson, text: str, is_cancelled: Callable[[], bool] = never_cancelled
    ) -> PracticeTry:
        """Judge and log a new answer to the question of the lesson's rung; the session's results do not change.

        The model judges, or the offline examiner if no model judged the session, there is no model, the cap is reached,
        or the model fails. Raises LogError if the log cannot be used.
        """
        participants, question = self._context.participants, session.question(lesson.ref.question)
        budget = self._budget(session)
        is_offline = session.is_judged_offline or self.model is None or bool(budget.session_cap_reason())
        participants.wait_for_matcher()
        examiner = participants.offline if is_offline else participants.examiner
        try:
            assessment = examiner.assess(question, lesson.asked, text, is_cancelled)
        finally:
            budget.keep()
        if not assessment.is_graded and not is_offline and not is_cancelled():
            offline = participants.offline.assess(question, lesson.asked, text)
            assessment = offline if offline.is_graded else assessment
        attempt = PracticeTry(lesson.ref, lesson.rung, lesson.asked, text, assessment)
        if not is_cancelled():
            self._context.log.append_afterwards(session.id, events.Practiced(self._clock(), attempt))
        return attempt

    def save_draft(self, session: Session, lesson: Lesson, text: str) -> None:
        """Save an answer that was not sent. Raises LogError if the log cannot be used."""
        self._context.log.save_draft(session.id, f"practice:{lesson.ref.id}", text)

    def draft(self, session: Session, lesson: Lesson) -> str:
        """Return the last unsent answer; "" if there is none. Raises LogError if the log cannot be used."""
        return self._context.log.draft(session.id, f"practice:{lesson.ref.id}")

    def _budget(self, session: Session) -> Budget:
        return Budget(self.model, self._context.participants.cap, load_payments(self._context.log, session.id))
