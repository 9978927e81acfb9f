"""Phrase a move that the engine chose, or ask one question beyond the ladder, with a language model.

The model sees the bank's words and the transcript, never the points. Its text is checked before any of it is shown: no
open point, no grade, one question, and the bank's question in full. If a check fails, the bank's own words are used.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from interviewer.chat.model import ChatCancelled, ChatError, ChatModel, ContextTooLong, Message
from interviewer.chat.streaming import never_cancelled
from interviewer.examiner.matching.patterns import compiled
from interviewer.examiner.matching.sentences import split_sentences
from interviewer.examiner.prompts import prompt_messages
from interviewer.examiner.quotes import visible
from interviewer.sanitize import masker
from interviewer.session.move import Move, MoveKind
from interviewer.session.question import Point

# The settings offer the same names: `interviewer.config` lists them, because it cannot import the examiner.
PERSONAS = {
    "friendly": "warm and relaxed; an interviewer who enjoys the subject and gives people time to think",
    "neutral": "even and matter-of-fact; neither warm nor cold",
    "skeptical": "dry and skeptical; an interviewer who takes no claim on trust and asks what it is based on",
}
STYLES = {
    "plain": "",
    "research_lab": "The company is a large research lab: talk about objectives, assumptions and ablations.",
    "startup_infra": "The company is an infrastructure startup: talk about throughput, cost and what breaks.",
    "quant": "The company is a trading firm: terse, numbers first, no small talk.",
}
STRICTNESS = {
    "lenient": "Before the question, you may refer to the candidate's last words in one short neutral clause.",
    "standard": "Use at most a few neutral words of lead-in.",
    "strict": "No lead-in: just ask the question, in as few words as possible.",
}
_SENTENCES_MAX = 3
_LEAD_IN_CHARS_MAX = 240
_STRETCH = 1.5
# A digit inside a name (fp8, H100) is not a number.
_NUMBER = re.compile(r"(?<![A-Za-z_\d.,])\d+(?:[.,]\d+)*")
# Where listening to answers ends a sentence, this does: a phrasing lies within one piece.
_SENTENCE = re.compile(r".*?(?:[.!?;。！？][\"'”’)\]]*\s+|\n\s*)", re.DOTALL)
_QUALITY = r"(?:great|good|nice|excellent|perfect|strong|solid|impressive|brilliant|fantastic|wonderful|weak|poor|bad)"
# Said of an answer these are a grade; "what exactly" and "is that right?" are questions.
_GRADE = re.compile(
    rf"\b{_QUALITY} (?:answer|point|job|work|start|explanation|thinking|catch|observation|one|stuff)\b"
    r"|\bwell (?:done|put|said|explained)\b|\b(?:spot|dead) on\b|\bnailed it\b|\bon the right track\b|\bnot quite\b"
    r"|\b(?:that is|that's|you are|you're|this is|it is|it's|which is) (?:\w+ )?"
    r"(?:right|correct|wrong|incorrect|true|false|mistaken)\b"
    r"|\byou(?:'re| are| have|'ve)? (?:missed|forgot|forgotten|missing)\b"
    rf"|(?:^|[.!?;:]\s+)(?:correct|incorrect|right|wrong|exactly|precisely|almost|yes|no|{_QUALITY})\s*(?:[,.!;:—–-]|$)",
    re.IGNORECASE,
)
TURNS_CHARS_MAX = 6_000
_TURN_CHARS_MAX = 1_200
_FIRST_WORDS = 12
_FIRST_CHARS = 120
# Of the room for turns; the rest is for the first words of older ones.
_WHOLE_SHARE = 0.7
_MEANING = {
    MoveKind.NEXT: "open a new question.",
    MoveKind.DEEPER: "go one step deeper into the same question.",
    MoveKind.PROBE: "ask about one thing the candidate has not made clear.",
    MoveKind.CHALLENGE: "test one of the candidate's claims, without saying whether it is right.",
    MoveKind.DOUBT: "ask whether the candidate stands by what they said, without saying whether it is right.",
    MoveKind.IMPROVISE: "ask a question that goes one step beyond the prepared ones.",
    MoveKind.OBSERVER: "ask a human observer's question.",
    MoveKind.CHECK: "ask for a result that code will verify.",
    MoveKind.CLARIFY: "ask what the candidate means.",
    MoveKind.HINT: "give exactly this hint and no more.",
    MoveKind.TASK: "hand over a coding task.",
    MoveKind.VERDICT: "report what the grader found.",
    MoveKind.FINISH: "end the interview.",
}
_SHRUNK_CHARS_MAX = 1_500
_WORDS_MAX = 60
_TEMPERATURE = 0.7


@dataclass(frozen=True)
class Manner:
    """Hold one name of each list."""

    persona: str = "neutral"
    style: str = "plain"
    strictness: str = "standard"

    @property
    def text(self) -> str:
        """Return the manner as the prompt describes it."""
        parts = (f"{PERSONAS[self.persona]}.", STYLES[self.style], STRICTNESS[self.strictness])
        return " ".join(part for part in parts if part)


def sentence_end(text: str) -> int:
    """Return where the first whole sentence of the text ends, 0 while it goes on."""
    match = _SENTENCE.match(text)
    return match.end() if match else 0


def gives_grade(text: str) -> bool:
    """Return whether the words say how good an answer was."""
    return bool(_GRADE.search(text))


class WordingCheck:
    """Check one model's wording of the bank's `words`.

    `open_points` are those that the candidate has not shown; `heard` is what they said, whose numbers may be taken up.
    `chars_max` is how long the whole may be.
    """

    def __init__(self, words: str, open_points: Sequence[Point], candidate_text: str = "") -> None:
        self._words = words
        self._shows = [phrasing for point in open_points for phrasing in point.shows if not _hits(phrasing, words)]
        self._numbers = set(_NUMBER.findall(words))
        self._known_numbers = self._numbers | set(_NUMBER.findall(candidate_text))
        self._questions_max = max(1, words.count("?"))
        self._sentences_max = max(_SENTENCES_MAX, len(split_sentences(words)) + 1)
        self.chars_max = int(_STRETCH * len(words)) + _LEAD_IN_CHARS_MAX

    def find_violation(self, text: str) -> str:
        """Return what is wrong with the words so far, "" when they may be shown."""
        faults = {
            "states an open point": any(_hits(phrasing, text) for phrasing in self._shows),
            "gives a grade": gives_grade(text) and not gives_grade(self._words),
            "asks more than one thing": text.count("?") > self._questions_max,
            "is too long": len(text) > self.chars_max or len(split_sentences(text)) > self._sentences_max,
            "adds a number": not self._known_numbers.issuperset(_NUMBER.findall(text)),
            "contains an API key": masker(os.environ)(text) != text,
        }
        return next((fault for fault, holds in faults.items() if holds), "")

    def find_omission(self, text: str) -> str:
        """Return what the whole of the words leaves out of the bank's, "" when it is the same question."""
        if "?" in self._words and "?" not in text:
            return "asks no question"
        # The answer is judged against the bank's question: another premise would be another question.
        return "" if self._numbers.issubset(_NUMBER.findall(text)) else "leaves out a number"


def _hits(phrasing: str, text: str) -> bool:
    return any(compiled(phrasing).search(sentence.text) for sentence in split_sentences(text))


def voice_messages(
    move_kind: MoveKind,
    words: str,
    turns: Sequence[tuple[bool, str]],
    manner: str,
    chars_max: int = TURNS_CHARS_MAX,
) -> list[Message]:
    """Return the messages that ask a model to say these words of the bank; the last ends with them in <convey>.

    `turns` are pairs of whether the interviewer spoke, and the text; they take up at most about `chars_max`.
    """
    transcript = format_turns(turns, chars_max)
    # Made from the text itself: whoever writes it cannot know the tag before the text is done.
    tag = hashlib.sha256(transcript.encode()).hexdigest()[:16]
    return prompt_messages(
        "voice",
        manner=manner,
        move=move_kind.value,
        meaning=_MEANING[move_kind],
        tag=tag,
        turns=transcript,
        words=words,
    )


def format_turns(turns: Sequence[tuple[bool, str]], chars_max: int) -> str:
    """Return the turns, one a line: the last ones whole, older ones by their first words, the rest by their number.

    Nothing is dropped without a word: a model that sees no gap takes what it sees for the whole talk.
    """
    whole: list[str] = []
    first_words: list[str] = []
    used = 0
    for is_interviewer, text in reversed(turns):
        who, line = "interviewer" if is_interviewer else "candidate", _shortened(visible(text))
        begun = f"{who}, in short: {' '.join(line.split()[:_FIRST_WORDS])[:_FIRST_CHARS]} …"
        is_whole = not first_words and (not whole or used + len(line) <= chars_max * _WHOLE_SHARE)
        if not is_whole and used + len(begun) > chars_max:
            break
        entry = f"{who}: {line}" if is_whole else begun
        (whole if is_whole else first_words).append(entry)
        used += len(entry)
    left_out = len(turns) - len(whole) - len(first_words)
    gap = [f"(earlier turns omitted here: {left_out})"] if left_out else []
    return "\n".join([*gap, *reversed(first_words), *reversed(whole)]) or "(nothing yet)"


def _shortened(text: str) -> str:
    text = text.replace("convey>", "convey")  # a candidate may not open or close that block
    return text if len(text) <= _TURN_CHARS_MAX else text[:_TURN_CHARS_MAX].rsplit(" ", 1)[0] + " …"


class Speech:
    """Speak one move. When `pieces` has ended, the other fields tell what was said and what went wrong.

    `failure` is the model's, `violation` what the check found; after either, the words of the bank were said.
    """

    def __init__(
        self,
        voice: ChatModel,
        move: Move,
        turns: Sequence[tuple[bool, str]],
        manner: Manner,
        open_points: Sequence[Point] = (),
    ) -> None:
        self.text = ""
        self.is_cut = False
        self.failure: ChatError | None = None
        self.violation = ""
        self._voice = voice
        self._move = move
        self._turns = turns
        self._manner = manner
        # The prompt does not contain the points, so no prompt injection can make the model reveal them.
        candidate_text = "\n".join(text for is_interviewer, text in turns if not is_interviewer)
        self._check = WordingCheck(move.words, open_points, candidate_text)

    def pieces(self, is_cancelled: Callable[[], bool] = never_cancelled) -> Iterator[str]:
        """Yield what may be shown as it comes: the move's lead, then sentence by sentence.

        What was shown cannot be taken back, and half a sentence can be the half that leaks; so a sentence is the
        smallest piece, and the first one that fails ends the model's turn.
        """
        if self._move.lead:
            yield self._spoken(f"{self._move.lead}\n\n")
        spoken = ""
        try:
            # Closed at once after a fault, so that the server stops generating tokens that nobody reads.
            with closing(self._sentences(is_cancelled)) as sentences:
                for sentence in sentences:
                    self.violation = self._check.find_violation(spoken + sentence)
                    if self.violation:
                        break
                    spoken += sentence
                    yield self._spoken(sentence)
            self.violation = self.violation or self._check.find_omission(spoken)
        except ChatCancelled:
            # Cancelled before the first word: the candidate still needs a question to answer.
            self.is_cut = bool(spoken)
        except ChatError as error:
            self.failure = error
        if self.violation or self.failure or not spoken:
            yield self._spoken(f"\n\n{self._move.words}" if spoken else self._move.words)

    def _spoken(self, piece: str) -> str:
        self.text += piece
        return piece

    def _sentences(self, is_cancelled: Callable[[], bool]) -> Generator[str, None, None]:
        buffered = ""
        for piece in self._streamed(is_cancelled):
            buffered += piece
            # A sentence without an end would be held back for as long as it comes: the check ends it.
            if len(buffered) > self._check.chars_max:
                break
            while end := sentence_end(buffered):
                yield buffered[:end]
                buffered = buffered[end:]
        if buffered:
            yield buffered

    def _streamed(self, is_cancelled: Callable[[], bool]) -> Iterator[str]:
        try:
            yield from self._voice.stream(self._messages(TURNS_CHARS_MAX), is_cancelled)
        except ContextTooLong:
            # Servers say so before the first word, so nothing is said twice.
            yield from self._voice.stream(self._messages(_SHRUNK_CHARS_MAX), is_cancelled)

    def _messages(self, chars_max: int) -> list[Message]:
        return voice_messages(self._move.kind, self._move.words, self._turns, self._manner.text, chars_max)


def improvise_question(
    voice: ChatModel,
    opened_with: str,
    turns: Sequence[tuple[bool, str]],
    manner: str,
    is_cancelled: Callable[[], bool] = never_cancelled,
) -> str:
    """Return one question of the model's own; "" when it gave none that may be asked, whatever the reason."""
    transcript = format_turns(turns, TURNS_CHARS_MAX)
    tag = hashlib.sha256(transcript.encode()).hexdigest()[:16]
    messages = prompt_messages("improvise", manner=manner, question=opened_with, turns=transcript, tag=tag)
    try:
        reply = voice.complete(messages, temperature=_TEMPERATURE, is_cancelled=is_cancelled).text
    except ChatError:
        return ""
    asked = " ".join(reply.split())
    is_one_question = asked.endswith("?") and asked.count("?") == 1 and len(asked.split()) <= _WORDS_MAX
    may_be_said = not gives_grade(asked) and masker(os.environ)(asked) == asked
    return asked if is_one_question and may_be_said else ""
