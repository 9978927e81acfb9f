"""Chooses who judges and who speaks, as the settings say; without a model both are the bank's."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from interviewer.errors import InterviewerError

if TYPE_CHECKING:
    from interviewer.chat.model import ChatModel
    from interviewer.chat.spending import Payments
    from interviewer.config import Settings
    from interviewer.interview.ports import Participants
    from interviewer.log.store import PracticeLog
    from interviewer.session.question import Question


def chosen_model(settings: Settings, environ: Mapping[str, str]) -> str:
    """Return the name of the language model that serves, or "".

    Raises: InterviewerError when one is required and missing.
    """
    if settings.examiner == "offline":
        return ""
    from interviewer.chat.providers import default_model, missing_key

    name = settings.model or default_model(environ) or ""
    lacks = missing_key(name, environ) if name else None
    if settings.examiner == "llm" and not name:
        fix = "Set INTERVIEWER_MODEL, as in openai/gpt-5, or take --examiner offline: it needs no key."
        raise InterviewerError("no language model is chosen and no provider's key is set", fix, "model")
    if lacks and settings.model:
        raise InterviewerError(
            f"{name} needs {lacks}, which is not set", f"Set {lacks}, or use --examiner offline.", "model"
        )
    return "" if lacks else name


def participants_for(
    settings: Settings, model: ChatModel | None, questions: Iterable[Question], paid: Payments | None = None
) -> Participants:
    """Return the participants. Only one that is given what a session has `paid` for uses replies that came before."""
    from interviewer.chat.providers import is_own_server
    from interviewer.chat.spending import Cap, Payments
    from interviewer.examiner.checked import CheckedExaminer
    from interviewer.examiner.examples import Examples
    from interviewer.examiner.llm import LLMExaminer
    from interviewer.examiner.offline import OfflineExaminer
    from interviewer.examiner.persona import Manner
    from interviewer.interview.ports import Participants

    offline = CheckedExaminer(OfflineExaminer())
    if model is None:
        return Participants(examiner=offline, offline=offline)
    judge = LLMExaminer(model, examples=Examples({one.id: one for one in questions}), paid=paid)
    return Participants(
        examiner=CheckedExaminer(judge),
        offline=offline,
        voice=model,
        manner=Manner(settings.persona, settings.style, settings.strictness),
        # Reached, the month's cap must not bar what costs nothing.
        cap=Cap(
            settings.spend_cap_usd,
            settings.token_cap,
            0.0 if is_own_server(model.name, os.environ) else settings.month_cap_usd,
        ),
        paid=paid or Payments(),
    )


def payments_of(log: PracticeLog, session: str) -> Payments:
    """Return what this session has paid for, kept in the log. Raises: LogError."""
    from interviewer.chat.spending import Payments

    keep = partial(log.save_payment, session)
    return Payments(log.payment(session), keep, partial(month_cost_usd, log, but=session))


def month_cost_usd(log: PracticeLog, month: str, but: str = "") -> float:
    """Return what all sessions in the log but this one have cost in a month, in US dollars. Raises: LogError."""
    from interviewer.chat.spending import cost_in

    first = time.mktime(time.strptime(f"{month}-01", "%Y-%m-%d"))
    # What was kept before the month began holds none of its costs.
    payments = (payment for payment in log.payments(first) if payment.session != but)
    return sum(cost_in(payment.text, month, payment.at) for payment in payments)
