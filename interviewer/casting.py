"""Chooses who judges and who speaks, as the settings say; without a model both are the bank's."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from interviewer.chat.model import ChatModel
from interviewer.chat.paid import PAID_SLOT, Paid
from interviewer.chat.spending import Cap
from interviewer.config import Settings
from interviewer.edges import Cast
from interviewer.examiner.checked import CheckedExaminer
from interviewer.examiner.examples import Examples
from interviewer.examiner.llm import LLMExaminer
from interviewer.examiner.manners import Manner
from interviewer.examiner.offline import OfflineExaminer
from interviewer.log.store import PracticeLog
from interviewer.session.question import Question


def cast_for(
    settings: Settings, model: ChatModel | None, questions: Iterable[Question], paid: Paid | None = None
) -> Cast:
    """Return the cast. Only one that is given what a session has `paid` for uses replies that came before."""
    offline = CheckedExaminer(OfflineExaminer())
    if model is None:
        return Cast(examiner=offline, offline=offline)
    judge = LLMExaminer(model, examples=Examples({one.id: one for one in questions}), paid=paid)
    return Cast(
        examiner=CheckedExaminer(judge),
        offline=offline,
        voice=model,
        manner=Manner(settings.persona, settings.style, settings.strictness),
        cap=Cap(settings.spend_cap_usd, settings.token_cap),
        paid=paid or Paid(),
    )


def paid_in(log: PracticeLog, session: str) -> Paid:
    """Return what this session has paid for, kept in the log beside its drafts. Raises: LogError."""
    return Paid(log.draft(session, PAID_SLOT), partial(log.save_draft, session, PAID_SLOT))
