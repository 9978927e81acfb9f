"""Asks one question about a line of the code that just passed; a model writes it, and the answer is not scored.

The model sees the statement and the code, as data. The model's reply contains a line and a question about it. The app
checks that the line exists, and quotes it from the submission, not from the reply.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from interviewer.chat.model import ChatCancelled, ChatError, ChatModel
from interviewer.chat.streaming import never_cancelled
from interviewer.examiner.english import is_english
from interviewer.examiner.model_text import code_names, gives_score, is_showable, json_objects
from interviewer.examiner.prompts import fence_tag, prompt_messages
from interviewer.examiner.voice import first_fault
from interviewer.sanitize import printable
from interviewer.session import phrases

_STATEMENT_CHARS_MAX = 8_000
_SOURCE_CHARS_MAX = 12_000
_WORDS_MAX = 60
_LINE_CHARS_MIN = 6
_TEMPERATURE = 0.7
_TEXT = {"type": "string"}
SCHEMA = {
    "type": "object",
    "properties": {"line": _TEXT, "question": _TEXT},
    "required": ["line", "question"],
    "additionalProperties": False,
}
# Matches words that tell the candidate what to write instead.
_SOLUTION = re.compile(
    r"\b(?:you should|should (?:have )?(?:be|been|use|used)|the (?:right|correct|better) \w+|the (?:answer|solution) is"
    r"|(?:replace|rewrite|change) (?:it|this|that)\b.*\b(?:with|as|to|by))\b",
    re.IGNORECASE,
)


class CodeQuestion:
    """A question about one line of `source`, a solution to the task with this statement.

    After a call to `spoken`, `failure` is the model's error (or None), and `violation` is what the checks found (or
    "").
    """

    def __init__(self, voice: ChatModel, statement: str, source: str, manner: str) -> None:
        self.failure: ChatError | None = None
        self.violation = ""
        self._voice = voice
        self._statement = _cut(printable(statement), _STATEMENT_CHARS_MAX)
        self._source = _cut(printable(source), _SOURCE_CHARS_MAX)
        self._manner = manner
        self._lines = {
            " ".join(line.split()): None
            for line in self._source.splitlines()
            if not line.lstrip().startswith("#") and len("".join(line.split())) >= _LINE_CHARS_MIN
        }

    def spoken(self, is_cancelled: Callable[[], bool] = never_cancelled) -> str:
        """Return the line and the question; "" if the model wrote no acceptable question, failed, or was stopped."""
        if not self._lines:
            return ""
        tag = fence_tag(f"{self._statement}\n{self._source}")
        fields = {"statement": self._statement.replace(tag, ""), "source": self._source.replace(tag, "")}
        messages = prompt_messages("code_question", manner=self._manner, tag=tag, **fields)
        try:
            reply = self._voice.complete(messages, SCHEMA, _TEMPERATURE, is_cancelled).text
        except ChatCancelled:
            return ""
        except ChatError as error:
            self.failure = error
            return ""
        return self._checked(reply)

    def _checked(self, reply: str) -> str:
        asked = [found for found in json_objects(reply) if {"line", "question"} <= found.keys()]
        line, question = (asked[-1]["line"], asked[-1]["question"]) if asked else ("", "")
        if not isinstance(line, str) or not isinstance(question, str):
            self.violation = "does not contain both a line of code and a question"
            return ""
        line, question = " ".join(line.split()), " ".join(question.split())
        self.violation = self._find_violation(line, question)
        return "" if self.violation else f"{phrases.about_line(line)}\n\n{question}"

    def _find_violation(self, line: str, question: str) -> str:
        is_one_question = question.endswith("?") and question.count("?") == 1 and len(question.split()) <= _WORDS_MAX
        known = f"{self._statement}\n{self._source}"
        faults = {
            "quotes a line that is not in the code": line not in self._lines,
            "is not one short question": not is_one_question,
            "gives a grade or mentions a score": gives_score(question),
            "says what to write instead": bool(_SOLUTION.search(question)),
            "names something that is in neither the code nor the task": any(
                name not in known for name in code_names(question)
            ),
            "is not in English": not is_english(question),
            "contains a secret, a link or a control character": not is_showable(question),
        }
        return first_fault(faults)


def _cut(text: str, characters_max: int) -> str:
    """Return as many whole lines from the beginning of a text as fit in this many characters."""
    return text if len(text) <= characters_max else text[:characters_max].rpartition("\n")[0]
