"""Finds questions and their given answers in Markdown or plain text; ambiguous text never becomes a question."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

LINE_CHARS_MAX = 4000
PROMPT_CHARS_MAX = 1000
ANSWER_CHARS_MAX = 500

_HEADING = re.compile(r"(?P<mark>#{1,6})\s+(?P<text>.*?)[ #]*$")
_NUMBER = re.compile(r"(?P<mark>\(?\d{1,3}[.):]\s+|\d{1,3}、\s*|0\d(?=[A-Z]))(?P<text>\S.*)$")
_BULLET = re.compile(r"(?P<mark>[-*+•–]\s+)(?P<text>\S.*)$")
_ASKED = re.compile(r"(?:Q(?:uestion)?\s*\d*\s*[:.)])\s*(?P<text>\S.*)$", re.IGNORECASE)
_ANSWERED = re.compile(r"(?:A(?:nswer)?\s*\d*\s*[:)])\s*(?P<text>.*)$", re.IGNORECASE)
_FENCE = re.compile(r"\s*(```|~~~)")
_EMPHASIS = re.compile(r"(?<![\w.])(\*\*|__)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_CODE = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"(?<!\w)!?\[([^\]]*)\]\([^)]*\)")
_KEPT = re.compile(r"\0(\d+)\0")
_QUESTION_WORD = re.compile(
    r"(?:what|why|how|when|where|which|who|whose|does|do|did|is|are|was|were|can|could|should|would|will|has|have|if|in"
    r"|suppose|given|without|compare|explain|describe)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"(?:compare|compute|calculate|contrast|define|derive|describe|design|discuss|estimate|explain|give|implement|list"
    r"|name|outline|prove|show|sketch|state|tell|walk|write)\b",
    re.IGNORECASE,
)
_ANSWER_LABEL = re.compile(r"(?:short |model |sample |key )?(?:answers?|points)\s*:?", re.IGNORECASE)
_SOURCE = re.compile(r"(?:sources?|references?|see also|follow-?ups?)\s*:", re.IGNORECASE)
_LABEL = re.compile(r"[A-Z][\w-]*(?: [\w-]+){0,2}:?")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z(])")
_ORDER_WORDS_MIN = 3
_SENTENCE_WORDS_MIN = 3


@dataclass(frozen=True)
class OutlineQuestion:
    """One question found in a text, the answers given with it, and its line number, starting at 1."""

    prompt: str
    line: int
    answers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outline:
    """The questions in a text, and the list items between them that do not ask anything."""

    questions: tuple[OutlineQuestion, ...]
    passed_over: tuple[OutlineQuestion, ...]


@dataclass(frozen=True)
class _Line:
    """One line: the kind of its marker, its indentation, and its text without the marker or emphasis."""

    kind: str
    indent: int
    text: str
    number: int
    is_after_blank: bool
    level: int = 0


@dataclass
class _Open:
    """The question that is being parsed; `is_listening` is true while the next lines belong to its answer."""

    question: OutlineQuestion
    head: _Line
    takes_paragraphs: bool
    is_listening: bool = True
    answers: list[str] = field(default_factory=list)
    paragraph: list[str] = field(default_factory=list)


def read_outline(text: str) -> Outline:
    """Return a text's questions in order, without duplicates, each with the answers that the text gives.

    A question can be a heading, a numbered or bulleted item, a line that starts with `Q:`, or a plain line of text.
    Answers are bullets, indented lines below a question, and lines that start with `A:`. After a heading, a `Q:` line
    or an answer label, plain paragraphs are also read as answers: each sentence is one answer.
    """
    questions: dict[str, OutlineQuestion] = {}
    passed_over: list[OutlineQuestion] = []
    for question in _read(_lines(text), passed_over):
        key = question.prompt.casefold()
        known = questions.setdefault(key, question)
        if known is not question and question.answers:
            # A table of contents lists a question before the section that answers it.
            answers = tuple(dict.fromkeys((*known.answers, *question.answers)))
            questions[key] = replace(known if known.answers else question, answers=answers)
    return Outline(tuple(questions.values()), tuple(passed_over))


def strip_control(text: str) -> str:
    """Remove control and format characters, and convert every space character to a plain space.

    This removes more than `interviewer.sanitize.printable` does: soft hyphens and joiners, for example, end up in lists
    that are copied from a PDF or a web page, and a question file does not need them.
    """
    kinds = ((char, unicodedata.category(char)[0]) for char in text)
    return "".join(
        " " if kind == "Z" or char == "\t" else char for char, kind in kinds if kind != "C" or char in "\t\n"
    )


def _lines(text: str) -> Iterator[_Line]:
    """Yield the non-empty lines outside code blocks; a wrapped list item becomes one line."""
    held: _Line | None = None
    is_code, was_blank = False, True
    for number, raw in enumerate(text.splitlines(), 1):
        if _FENCE.match(raw):
            is_code = not is_code
            continue
        # The patterns below backtrack, so a one-megabyte line would take minutes.
        line = strip_control(raw[:LINE_CHARS_MAX].expandtabs(4))
        if is_code or not line.strip():
            was_blank = was_blank or not is_code
            continue
        marked = _marked(line, number, was_blank)
        is_wrapped = held and marked.kind == "text" and not was_blank and held.kind in ("number", "bullet")
        if held and is_wrapped and marked.indent > held.indent and not _is_question(held.text):
            held = replace(held, text=f"{held.text} {marked.text}")
        else:
            if held:
                yield held
            held = marked
        was_blank = False
    if held:
        yield held


def _marked(line: str, number: int, is_after_blank: bool) -> _Line:
    body = line.strip()
    indent = len(line) - len(line.lstrip())
    for kind, pattern in (("heading", _HEADING), ("asked", _ASKED), ("answered", _ANSWERED)):
        if match := pattern.match(_bare(body) if kind != "heading" else body):
            level = len(match["mark"]) if kind == "heading" else 0
            return _Line(kind, indent, _unnumbered(_bare(match["text"])), number, is_after_blank, level)
    for kind, pattern in (("bullet", _BULLET), ("number", _NUMBER)):
        if match := pattern.match(body):
            if asked := _ASKED.match(_bare(match["text"])):
                return _Line("asked", indent, asked["text"], number, is_after_blank)
            return _Line(kind, indent, _bare(match["text"]), number, is_after_blank)
    return _Line("text", indent, _bare(body), number, is_after_blank)


def _bare(text: str) -> str:
    """Return the text without markup. Text in backticks, such as `__init__` or `x**2`, contains none."""
    codes: list[str] = []

    def keep(found: re.Match[str]) -> str:
        codes.append(found[1])
        # Control characters have been removed from the text, so \0 is free.
        return f"\0{len(codes) - 1}\0"

    bare = _EMPHASIS.sub(r"\2", _LINK.sub(r"\1", _CODE.sub(keep, text)))
    return " ".join(_KEPT.sub(lambda found: codes[int(found[1])], bare).split())


def _unnumbered(text: str) -> str:
    for pattern in (_NUMBER, _ASKED):
        if match := pattern.match(text):
            text = match["text"]
    return text


def _is_question(text: str) -> bool:
    return text.rstrip(" )\"'”").endswith(("?", "？"))


def _is_order(text: str) -> bool:
    return bool(_ORDER.match(text)) and len(text.split()) >= _ORDER_WORDS_MIN and "question" not in text.casefold()


def _read(lines: Iterator[_Line], passed_over: list[OutlineQuestion]) -> Iterator[OutlineQuestion]:
    list_of_questions: tuple[str, int] | None = None
    current: _Open | None = None
    for line in lines:
        if _opens(line, current):
            if current:
                yield _closed(current)
            prompt = line.text.rstrip(": ")[:PROMPT_CHARS_MAX]
            current = _Open(OutlineQuestion(prompt, line.number), line, line.kind in ("heading", "asked"))
            list_of_questions = (line.kind, line.indent)
        elif current is None or not _goes_on(line, current):
            if current:
                yield _closed(current)
                current = None
            if line.kind in ("number", "bullet") and (line.kind, line.indent) == list_of_questions:
                passed_over.append(OutlineQuestion(line.text, line.number))
            elif line.kind == "heading":
                list_of_questions = None
    if current:
        yield _closed(current)


def _opens(line: _Line, current: _Open | None) -> bool:
    """Return whether a line starts a new question rather than continuing the previous answer."""
    if line.kind == "asked":
        return True
    if line.kind == "heading":
        return _is_question(line.text) or _is_order(line.text)
    if current and current.is_listening and _is_below(line, current):
        return False
    if line.kind == "number":
        return _is_question(line.text) or _is_order(line.text)
    if line.kind == "bullet":
        return _is_question(line.text)
    return line.kind == "text" and _is_question(line.text) and bool(_QUESTION_WORD.match(line.text))


def _is_below(line: _Line, current: _Open) -> bool:
    """Return whether a line belongs to the question that is being parsed.

    A line belongs to the question if it is indented more, starts with `A:`, or is a list item below a line that is not
    a list item.
    """
    head = current.head
    if line.kind in ("bullet", "number"):
        same_list = line.kind == head.kind or (head.kind == "bullet" and line.kind == "number")
        return line.indent > head.indent or (not same_list and head.kind != "number" and not _is_question(line.text))
    return line.kind == "answered" or line.indent > head.indent


def _goes_on(line: _Line, current: _Open) -> bool:
    """Add a line to the current question; return False if the line ends the question."""
    head = current.head
    if line.kind == "heading" and (head.kind != "heading" or line.level <= head.level):
        return False
    if line.kind == "heading" or (line.kind == "text" and _is_label(line)):
        _end_paragraph(current)
        current.is_listening = bool(_ANSWER_LABEL.fullmatch(line.text))
        current.takes_paragraphs = current.takes_paragraphs or current.is_listening
        return True
    if line.kind == "answered":
        current.is_listening = current.takes_paragraphs = True
    if not current.is_listening or _SOURCE.match(line.text):
        return True
    if line.kind in ("bullet", "number"):
        if not (line.indent >= head.indent if head.kind != line.kind else line.indent > head.indent):
            return False
        _end_paragraph(current)
        current.answers.append(line.text)
        return True
    is_part = line.kind == "answered" or line.indent > head.indent or not line.is_after_blank
    if not (is_part or current.takes_paragraphs):
        return False
    if line.is_after_blank:
        _end_paragraph(current)
    current.paragraph.append(line.text)
    return True


def _is_label(line: _Line) -> bool:
    is_short = bool(_LABEL.fullmatch(line.text)) and line.is_after_blank
    return is_short or bool(_ANSWER_LABEL.fullmatch(line.text))


def _end_paragraph(current: _Open) -> None:
    sentences = _SENTENCE_END.split(" ".join(current.paragraph))
    current.answers += [sentence for sentence in sentences if len(sentence.split()) >= _SENTENCE_WORDS_MIN]
    current.paragraph.clear()


def _closed(current: _Open) -> OutlineQuestion:
    _end_paragraph(current)
    # A bullet that asks a question is treated as a follow-up question, not as part of the answer.
    answers = [answer[:ANSWER_CHARS_MAX] for answer in current.answers if answer and not _is_question(answer)]
    return replace(current.question, answers=tuple(dict.fromkeys(answers)))
