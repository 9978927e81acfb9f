"""Asks a model to explain a missed point based on the bank's answer, and shows nothing that fails a check."""

from __future__ import annotations

from collections.abc import Callable

from interviewer.chat.model import ChatModel
from interviewer.chat.streaming import never_cancelled
from interviewer.examiner.english import is_english
from interviewer.examiner.matching.overlap import stems
from interviewer.examiner.model_text import gives_score, is_showable, numbers_in
from interviewer.examiner.prompts import prompt_messages
from interviewer.examiner.voice import declines, is_whole
from interviewer.session.results import Lesson

_WORDS_MAX = 160
_SHARED_STEMS_MIN = 2


def explain_point(model: ChatModel, lesson: Lesson, is_cancelled: Callable[[], bool] = never_cancelled) -> str:
    """Return a model's explanation of a point; "" if it fails a check.

    Raises ChatError if the model gives no usable reply. The model sees only the bank's texts, nothing that the
    candidate typed.
    """
    messages = prompt_messages("teach", asked=lesson.asked, answer=lesson.answer, says=lesson.says)
    text = " ".join(model.complete(messages, is_cancelled=is_cancelled).text.split())
    return text if may_be_shown(text, lesson) else ""


def may_be_shown(text: str, lesson: Lesson) -> bool:
    """Return whether an explanation is complete and about its point, and adds no number, grade or question."""
    bank = f"{lesson.asked} {lesson.answer} {lesson.says}"
    wanted = stems(lesson.says)
    is_about = len(wanted & stems(text)) >= min(_SHARED_STEMS_MIN, len(wanted))
    is_said = is_whole(text) and (declines(bank) or not declines(text))
    is_short = bool(text) and len(text.split()) <= _WORDS_MAX and "?" not in text
    is_neutral = not gives_score(text) and numbers_in(text) <= numbers_in(bank)
    return is_said and is_short and is_about and is_neutral and is_english(text) and is_showable(text)
