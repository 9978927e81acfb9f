"""Asks one step beyond the ladder; what cannot be shown is not shown, and the answer is never scored."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence

from interviewer.chat.failures import without_keys
from interviewer.chat.model import ChatError, ChatModel
from interviewer.chat.waiting import never
from interviewer.examiner.prompts import messages_of
from interviewer.examiner.spoken import gives_grade
from interviewer.examiner.voice import TURNS_CHARS_MAX, told_turns

_WORDS_MAX = 60
_TEMPERATURE = 0.7


def improvised(
    voice: ChatModel,
    opened_with: str,
    turns: Sequence[tuple[bool, str]],
    manner: str,
    is_cancelled: Callable[[], bool] = never,
) -> str:
    """Return one question of the model's own; "" when it gave none that may be asked, whatever the reason."""
    told = told_turns(turns, TURNS_CHARS_MAX)
    tag = hashlib.sha256(told.encode()).hexdigest()[:16]
    messages = messages_of("improvise", manner=manner, question=opened_with, turns=told, tag=tag)
    try:
        said = voice.complete(messages, temperature=_TEMPERATURE, is_cancelled=is_cancelled).text
    except ChatError:
        return ""
    asked = " ".join(said.split())
    is_one_question = asked.endswith("?") and asked.count("?") == 1 and len(asked.split()) <= _WORDS_MAX
    may_be_said = not gives_grade(asked) and without_keys(asked, os.environ) == asked
    return asked if is_one_question and may_be_said else ""
