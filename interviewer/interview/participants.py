"""Choose the examiner and the model that phrases the questions, and create the language model from the settings.

Without a model, the offline examiner judges and the bank's wording is used. litellm is imported at the first model
call.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from interviewer.chat.litellm_model import RETRY_SECONDS, LitellmModel
from interviewer.chat.model import ChatModel
from interviewer.chat.providers import is_own_server
from interviewer.chat.scripted import ScriptedModel
from interviewer.chat.spending import Cap, Payments, month_cost, month_of, month_record
from interviewer.chat.streaming import Timeouts
from interviewer.config import Settings
from interviewer.examiner.checking_examiner import CheckedExaminer
from interviewer.examiner.examples import Examples
from interviewer.examiner.llm import LLMExaminer
from interviewer.examiner.matching.learned import shared_matcher
from interviewer.examiner.offline import OfflineExaminer
from interviewer.examiner.voice import Manner
from interviewer.interview.ports import Participants
from interviewer.log.store import Payment, PracticeLog
from interviewer.session.question import Question

SCRIPTED = "scripted"
# If this variable is "off", the learned matcher's process is not started: answers are judged only by phrasings, and
# scores are uncalibrated.
MATCHER_VARIABLE = "INTERVIEWER_MATCHER"


def make_participants(
    settings: Settings, model: ChatModel | None, questions: Iterable[Question], paid: Payments | None = None
) -> Participants:
    """Return the participants. If `paid` is given, the model replies that it contains are not requested again."""
    matcher = shared_matcher() if os.environ.get(MATCHER_VARIABLE) != "off" else None
    offline = CheckedExaminer(OfflineExaminer(matcher))
    if model is None:
        return Participants(examiner=offline, offline=offline, matcher=matcher)
    is_own = is_own_server(model.name, os.environ)
    examples = Examples({question.id: question for question in questions})
    judge = LLMExaminer(model, examples=examples, paid=paid, is_parallel=not is_own)
    return Participants(
        examiner=CheckedExaminer(judge),
        offline=offline,
        voice=model,
        manner=Manner(settings.persona, settings.style, settings.strictness),
        cap=cap_of(settings, model.name),
        paid=paid or Payments(),
        # A self-hosted server may handle only one request at a time; drafts would then delay the judge.
        has_drafts=not is_own,
        matcher=matcher,
    )


def cap_of(settings: Settings, model_name: str) -> Cap:
    """Return the spending cap for a model; the monthly cap must not block a model that costs nothing."""
    month_usd = 0.0 if is_own_server(model_name, os.environ) else settings.month_cap_usd
    return Cap(settings.spend_cap_usd, settings.token_cap, month_usd)


def load_payments(log: PracticeLog, session: str) -> Payments:
    """Return the payments for a session's model calls; new payments are saved in the log.

    Raises LogError if the log cannot be used.
    """
    keep = partial(log.save_payment, session)
    return Payments(log.payment(session), keep, partial(month_cost_usd, log, but=session))


def month_cost_usd(log: PracticeLog, month: str, but: str = "") -> float:
    """Return the cost in US dollars for a month ("2026-01"), not counting the session whose id is `but`.

    Raises LogError if the log cannot be used.
    """
    first = time.mktime(time.strptime(f"{month}-01", "%Y-%m-%d"))
    # If a payments record was last saved before the month began, it contains no costs for this month.
    payments = (payment for payment in log.payments(first) if payment.session != but)
    return sum(month_cost(payment.text, month, payment.at) for payment in payments)


def forget(log: PracticeLog, name: str | None) -> int:
    """Delete one session or attempt from the log, or all of them if the id is None; return the number deleted.

    The cost of this month's model calls is kept as one total, so that deleting a session does not raise the monthly
    cap. Raises SessionOpen if a session is open in another window, and LogError if the log cannot be used.
    """
    month = month_of(time.time())

    def total(payments: Iterable[Payment]) -> str:
        cost = sum(month_cost(payment.text, month, payment.at) for payment in payments)
        return month_record(month, cost) if cost else ""

    return log.forget(name, total)


def open_model(
    name: str, timeouts: Timeouts | None = None, retry_seconds: Sequence[float] = RETRY_SECONDS
) -> ChatModel:
    """Return the model with this name: `scripted`, `scripted/PATH`, or any name that litellm knows.

    The default arguments are suited to a conversation. Raises OSError or ValueError if a script cannot be read.
    """
    if name == SCRIPTED or name.startswith(SCRIPTED + "/"):
        path = name[len(SCRIPTED) + 1 :]
        return ScriptedModel.load(Path(path)) if path else ScriptedModel()
    return LitellmModel(name, timeouts, retry_seconds=retry_seconds)
