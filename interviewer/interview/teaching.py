"""What a model adds to a finished session: a summary. It is logged apart from the session, and changes no result."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from interviewer.chat.model import ChatModel
from interviewer.chat.spending import Budget
from interviewer.chat.streaming import never_cancelled
from interviewer.errors import InterviewerError
from interviewer.examiner.summary import has_enough_points, write_summary
from interviewer.interview.participants import load_payments
from interviewer.session import events
from interviewer.session.state import OFFLINE, Session, Summary

if TYPE_CHECKING:
    from interviewer.interview.context import AppContext

NO_MODEL = "No summary and no study plan: they need a language model."
NOT_JUDGED = "No summary and no study plan: no model judged this session."


class Teacher:
    """Asks the model about finished sessions. Its calls block, and count toward the session's spending cap."""

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
        if session.examiner == OFFLINE:
            return NOT_JUDGED
        cap = self._budget(session).session_cap_reason()
        return f"No summary: {cap}." if cap else ""

    def wants_summary(self, session: Session) -> bool:
        """Return whether there is something to summarize that was not summarized yet, with or without a model."""
        return session.is_over and session.summary is None and has_enough_points(session)

    def summarize(self, session: Session, is_cancelled: Callable[[], bool] = never_cancelled) -> Summary | None:
        """Return a model's summary of a session after logging it; None if `why_no_model` names a reason.

        A summary without sentences is logged, too, so that no later debrief pays for it again. Raises: ChatError,
        LogError.
        """
        model, budget = self.model, self._budget(session)
        if model is None or self.why_no_model(session):
            return None
        try:
            summary = write_summary(model, session, is_cancelled)
        finally:
            budget.keep()
        self._context.log.append_afterwards(session.id, events.Summarized(self._clock(), summary))
        return summary

    def _budget(self, session: Session) -> Budget:
        return Budget(self.model, self._context.participants.cap, load_payments(self._context.log, session.id))
