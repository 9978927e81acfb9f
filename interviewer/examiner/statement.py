"""Answers a question about a coding task with sentences that a model picks from the task's statement.

Only text that the candidate can read anyway is shown, so no reply can give the solution away, in any language.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from interviewer.chat.model import ChatCancelled, ChatModel
from interviewer.chat.streaming import never_cancelled
from interviewer.examiner.model_text import json_objects
from interviewer.examiner.prompts import fence_tag, prompt_messages
from interviewer.examiner.quotes import visible

_SENTENCES_MAX = 2
_WORDS_MIN, _WORDS_MAX = 3, 60
_ASKS_CHARS_MAX = 1_200
_TEXT = {"type": "string"}
SCHEMA = {
    "type": "object",
    "properties": {"sentences": {"type": "array", "items": _TEXT}},
    "required": ["sentences"],
    "additionalProperties": False,
}


def quote_statement(
    model: ChatModel, statement: str, asks: str, is_cancelled: Callable[[], bool] = never_cancelled
) -> tuple[tuple[str, ...], str]:
    """Return the sentences of the statement that answer the candidate's question, and what the check found.

    Returns no sentences if the statement does not answer the question, if a quoted sentence is not in the statement, or
    if the candidate interrupts the model. Raises ChatError if the model fails.
    """
    asks = visible(asks)[:_ASKS_CHARS_MAX]
    tag = fence_tag(f"{statement}\n{asks}")
    fields = {"statement": statement.replace(tag, ""), "asks": asks.replace(tag, "")}
    try:
        reply = model.complete(prompt_messages("statement", tag=tag, **fields), SCHEMA, is_cancelled=is_cancelled).text
    except ChatCancelled:
        return (), ""
    picked = next((found["sentences"] for found in json_objects(reply) if "sentences" in found), None)
    if not isinstance(picked, list) or not all(isinstance(sentence, str) for sentence in picked):
        return (), "is not a list of sentences"
    sentences = tuple(" ".join(sentence.split()) for sentence in picked[:_SENTENCES_MAX])
    whole = _by_paragraphs(statement)
    if not all(_is_whole(sentence, whole) and len(sentence.split()) <= _WORDS_MAX for sentence in sentences):
        return (), "quotes text that is not a whole sentence of the statement"
    return sentences, ""


def _is_whole(sentence: str, statement: str) -> bool:
    """Return whether this text is a whole sentence or list item of the statement.

    A fragment may say the opposite of its sentence. For example, "need to support gradients" is a fragment of "does not
    need to support gradients".
    """
    words = re.escape(re.sub(r"^[-*•] ", "", sentence).rstrip(".:;"))
    whole = rf"(?:^|[.!?] |[-*•|] |\d\. ){words}(?:[.!?:;]|$| [-*•|] )"
    return len(sentence.split()) >= _WORDS_MIN and bool(re.search(whole, statement, re.MULTILINE))


def _by_paragraphs(statement: str) -> str:
    """Return the statement with one line for each paragraph, heading or list."""
    return "\n".join(" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", statement))
