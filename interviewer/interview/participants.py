"""Choose who judges the answers and who words the questions, and open the language model that the settings name.

Without a model, the offline examiner judges and the bank's own words are used. litellm is imported with the first call.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from interviewer.chat.litellm_model import LitellmModel
from interviewer.chat.model import ChatModel
from interviewer.chat.providers import is_own_server
from interviewer.chat.scripted import ScriptedModel
from interviewer.chat.spending import Cap, Payments, month_cost
from interviewer.config import Settings
from interviewer.examiner.checking_examiner import CheckedExaminer
from interviewer.examiner.examples import Examples
from interviewer.examiner.llm import LLMExaminer
from interviewer.examiner.offline import OfflineExaminer
from interviewer.examiner.voice import Manner
from interviewer.interview.ports import Participants
from interviewer.log.store import PracticeLog
from interviewer.session.question import Question

SCRIPTED = "scripted"


def make_participants(
    settings: Settings, model: ChatModel | None, questions: Iterable[Question], paid: Payments | None = None
) -> Participants:
    """Return the participants. With `paid`, the payments of a session, the examiner reuses the replies paid for."""
    offline = CheckedExaminer(OfflineExaminer())
    if model is None:
        return Participants(examiner=offline, offline=offline)
    judge = LLMExaminer(model, examples=Examples({question.id: question for question in questions}), paid=paid)
    return Participants(
        examiner=CheckedExaminer(judge),
        offline=offline,
        voice=model,
        manner=Manner(settings.persona, settings.style, settings.strictness),
        # The month's cap must not stop a model that costs nothing.
        cap=Cap(
            settings.spend_cap_usd,
            settings.token_cap,
            0.0 if is_own_server(model.name, os.environ) else settings.month_cap_usd,
        ),
        paid=paid or Payments(),
    )


def load_payments(log: PracticeLog, session: str) -> Payments:
    """Return what this session has paid for; new payments are saved in the log. Raises: LogError."""
    keep = partial(log.save_payment, session)
    return Payments(log.payment(session), keep, partial(month_cost_usd, log, but=session))


def month_cost_usd(log: PracticeLog, month: str, but: str = "") -> float:
    """Return the cost of all logged sessions except `but` in a month ("2026-01"), in US dollars. Raises: LogError."""
    first = time.mktime(time.strptime(f"{month}-01", "%Y-%m-%d"))
    # A payment saved before the month began has no cost in it.
    payments = (payment for payment in log.payments(first) if payment.session != but)
    return sum(month_cost(payment.text, month, payment.at) for payment in payments)


def open_model(name: str) -> ChatModel:
    """Return the model of this name: `scripted`, `scripted/PATH`, or any name that litellm knows.

    Raises: OSError or ValueError for a script that cannot be read.
    """
    if name == SCRIPTED or name.startswith(SCRIPTED + "/"):
        path = name[len(SCRIPTED) + 1 :]
        return ScriptedModel.load(Path(path)) if path else ScriptedModel()
    return LitellmModel(name)
