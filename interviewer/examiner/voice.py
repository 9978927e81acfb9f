"""Uses a language model to word the interviewer's messages, or to ask one question beyond the prepared ones.

The engine chooses the kind of each message. The model sees the question bank's wording, the transcript and a neutral
description of what is left open, but never the points. The model's whole text is checked before any of it is shown. It
must be in English (the checks know only English words), reveal no open point, give no grade, ask one question, and
preserve the bank's question in full. If a check fails, the question bank's wording is used.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from interviewer.chat.model import ChatCancelled, ChatError, ChatModel, ContextTooLong, Message
from interviewer.chat.streaming import never_cancelled
from interviewer.examiner.english import is_english
from interviewer.examiner.matching.overlap import match_point, stems
from interviewer.examiner.matching.patterns import compiled
from interviewer.examiner.matching.sentences import split_sentences
from interviewer.examiner.prompts import fence_tag, prompt_messages
from interviewer.examiner.quotes import visible, without_middle
from interviewer.sanitize import masker
from interviewer.session.move import Move, MoveKind
from interviewer.session.phrases import GREETING
from interviewer.session.question import Point

# `interviewer.config` repeats these names for the settings, because it cannot import the examiner.
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
_STATES_POINT = "gives away an open point"
_SENTENCES_MAX = 3
_LEAD_IN_CHARS_MAX = 240
_STRETCH = 1.5
# A digit inside a name (fp8, H100) is not a number.
NUMBER = re.compile(r"(?<![A-Za-z_\d.,])\d+(?:[.,]\d+)*")
# The text is split into sentences at the same places as when answers are matched, so no match of a phrasing spans two
# sentences.
_SENTENCE = re.compile(r".*?(?:[.!?;。！？][\"'”’)\]]*\s+|\n\s*)", re.DOTALL)
_QUALITY = r"(?:great|good|nice|excellent|perfect|strong|solid|impressive|brilliant|fantastic|wonderful|weak|poor|bad)"
_COUNT = r"(?:none|one|two|three|four|five|\d+)"
# Words that grade an answer; "what exactly" and "is that right?" are questions and do not count.
_GRADE = re.compile(
    rf"\b{_QUALITY} (?:answer|point|job|work|start|explanation|thinking|catch|observation|question|one|stuff)\b"
    r"|\bwell (?:done|put|said|explained)\b|\b(?:spot|dead)[ -]on\b|\bnailed it\b|\bon the right track\b|\bnot quite\b"
    r"|\b(?:that is|that's|that was|that would be|you are|you're|this is|it is|it's|it would be|which is) (?:\w+ )?"
    r"(?:right|correct|wrong|incorrect|true|false|mistaken)\b"
    r"|\b(?:covered|explained|answered|handled) (?:that|it|this) (?:\w+ )?(?:well|nicely|correctly|perfectly)\b"
    r"|\b(?:that is|that's|this is) (?:the|a) key (?:idea|point|insight|step)\b"
    r"|\byou(?:'re| are| have|'ve)? (?:missed|forgot|forgotten|missing)\b"
    r"|\byou(?:'re| are) (?:close|almost|nearly|getting)\b|\byou(?:'ve| have)? got (?:it|that|this)\b"
    r"|\byou (?:clearly|really|certainly|obviously) (?:know|understand|get|grasp)\b"
    r"|\b(?:sounds|looks|seems) (?:right|good|correct|wrong|off|fine|reasonable)\b|\bbackwards\b|\bunfortunately\b"
    r"|\bi(?:'d| would)? (?:agree|disagree)\b|\b(?:that|this|it|answer|derivation|argument|reasoning) (?:is|was) "
    r"(?:\w+ )?(?:sound|solid|fair|impressive|good|great|excellent|fine|reasonable|convincing)\b"
    rf"|(?:^|[.!?;:]\s+)(?:correct|incorrect|right|wrong|exactly|precisely|almost|close|yes|no|{_QUALITY})\s*(?:[,.!;:—–-]|$)"
    r"|\byou (?:correctly|rightly|wrongly|incorrectly|accurately) \w+|\byou(?:'ve| have)? said it (?:well|right)\b"
    r"|\byou(?:'ve| have)? (?:left (?:something|one thing|a part|it|that|this) out|left out|omitted|overlooked"
    r"|nailed)\b"
    r"|\b(?:sadly|regrettably)\b|\bonto something\b|\bnot exactly\b"
    r"|(?:\bi (?:really )?|(?:^|[.!?;:]\s+))(?:love|like) (?:it|that)(?=\s*(?:[,.!;:—–]|$))"
    r"|\b(?:that|this|it|answer) (?:is|was|'s) (?:\w+ )?(?:off|incomplete|clear)(?=\s*(?:[,.!;:—–]|$))"
    r"|\b(?:exactly|precisely) what i (?:was|want|wanted|meant|hoped)\b"
    r"|\byour (?:\w+ )?(?:answer|reply|explanation) (?:is|was|misses|missed|lacks|lacked|omits|needs|needed"
    r"|leaves|left)\b"
    r"|\b(?:correct|right|complete|good|better|full) answer (?:would|should|has|needs|mentions|includes)\b"
    r"|(?:^|[.!?;:]\s+)(?:that|this|it|your answer) (?:still )?(?:misses|missed|lacks|omits|overlooks)\b"
    r"|(?:^|[.!?;:]\s+)(?:that|this) works(?=\s*(?:[,.!;:—–]|$))"
    rf"|\byou(?:'ve| have)? (?:only |just )?got {_COUNT} (?:out )?of (?:the )?{_COUNT}\b"
    r"|\bi (?:was|had been) (?:\w+ )?(?:hoping|expecting|looking)\b|\bi(?:'d| had)? (?:hoped|expected)\b",
    re.IGNORECASE,
)
# Reactions to a joke, or to an attempt to instruct the interviewer. After a real answer, such a reaction would sound
# like a grade.
_ON_A_JOKE = re.compile(
    r"(?:^|(?<=[.!?] ))(?:(?:ha|haha|heh|oh|ok|okay|well),? )?(?:good|nice) one(?=[.!]|, but)"
    r"|\b(?:that (?:is|was) |that's )?(?:a )?(?:good|nice) joke\b",
    re.IGNORECASE,
)
# The engine decides when to give a hint.
_HINTS = re.compile(
    r"\b(?:hint|tip|clue|reminder)\s*:|\bas a (?:hint|tip|clue|reminder)\b|\b(?:here is|here's) a (?:hint|tip|clue)\b"
    r"|\b(?:keep|bear) in mind (?:that|the|how)\b"
    r"|(?:^|[.!?;:]\s+)(?:(?:remember|don't forget|do not forget) (?:that|the|it)|think (?:of|about) [^?]*\.)",
    re.IGNORECASE,
)
# A model that declines its role may still end with a question ("Is there something else I can help you with?").
_REFUSES = re.compile(
    r"\b(?<!flattery )(?:can't|cannot|can not|won't|will not|unable to|not able to) (?:\w+ )?"
    r"(?:assist|help|continue|conduct|comply|proceed|engage|participate)\b|\bsomething else\b"
    r"|\b(?:i|we)(?:'m| am)? (?:\w+ )?(?:can't|cannot|can not|could not|couldn't|won't|will not|unable to|not able to)"
    r" (?:be able to )?(?:\w+ ){0,2}?(?:fulfill?|provide|answer|discuss|share|generate|produce|create|do|help|assist"
    r"|comply|tell|say|ask|reveal|disclose|talk|respond|explain|support)\b"
    r"|\b(?:i|we)(?:'ll| will| must| have to| need to| should|'d| would)? (?:\w+ )?(?:decline|refuse)\b"
    r"|\b(?:against|violates?|outside) my (?:\w+ )?"
    r"(?:guidelines?|rules|instructions|polic(?:y|ies)|programming|scope)\b"
    r"|\bas an? (?:ai|(?:large )?language model|assistant)\b"
    r"|\bi(?:'m| am) (?:just |only )?an? (?:ai|(?:large )?language model)\b"
    r"|\b(?:don't|do not) feel comfortable\b|\bnot comfortable\b|\bmy system prompt\b"
    r"|\b(?:i|we)(?:'d| would| will|'ll)? (?:\w+ )?(?:rather|prefer)(?: to)? not\b|\bi(?:'m| am) (?:\w+ )?sorry\b"
    r"|\bi (?:\w+ )?apologi[sz]e\b|\b(?:this|your) (?:message|request|conversation|prompt|input|content) "
    r"(?:\w+ )?(?:is|was|has been|got) (?:\w+ )?(?:flagged|blocked|filtered|refused|rejected|stopped)\b"
    r"|\b(?:end|stop|leave|close|discontinue) (?:this|the|our) (?:conversation|chat|discussion)\b",
    re.IGNORECASE,
)
_ASKED_SHARE = 1 / 3
# Matches the boundary between the two halves of a question: "What is cut, and why does the gradient survive?"
_HALVES = re.compile(
    r"[,;:]? (?:and|but|or) (?=(?:(?:at|in|for|from|to|by|under|with|if|then|also|roughly|about)\b[^,;:]*?\b)?"
    r"(?:what|why|how|which|when|where|who|does|do|is|are|can|would|should|could|will|say|tell|name|explain|give|state)\b)"
    r"|[,;:] (?=(?:what|why|how|which|when|where|who)\b)|[;:] ",
    re.IGNORECASE,
)
# Matches the boundaries between items or cases inside one clause: "after one report, and after two", "the engine or the
# trainer", ", in nats".
_PLACE = r"(?:at|in|for|from|to|by|under|with|without|if|after|before|between|on|per|over|as|compared|including|given)"
_ITEMS = re.compile(
    rf"[,;:]? (?:and|but|or|then) (?={_PLACE}\b|(?:a|an|the|its|their|this|that|how|what)\b)|[,;:] (?={_PLACE}\b)"
    r"|[,:] (?=(?:a|an|the)\b)|, (?:and |or )?(?=\w+(?:,|\?| and | or ))|, (?:and|or) ",
    re.IGNORECASE,
)
_QUESTION_WORD = re.compile(r"\b(?:what|why|how|which|when|where|who|whose|whether)\b", re.IGNORECASE)
_WHY = re.compile(r"\b(?:why|reasons?|explain|because|cause[sd]?|what makes|how come)\b", re.IGNORECASE)
_ENDS = (".", "?", "!", ":", ")", "”", '"', "`")
_SCORE = re.compile(
    r"\b(?:scor(?:e[sd]?|ing)|grad(?:es?|ed|ing)|ratings?|rated|out of (?:\d+|ten|five)|hir(?:e[sd]?|ing)"
    r"|pass(?:es|ed)? the interview)\b",
    re.IGNORECASE,
)
_YOUR_SCORE = re.compile(rf"\byour (?:{_SCORE.pattern})", re.IGNORECASE)
# At the end of an interview, any remark about the candidate's performance would be a verdict.
_OF_CANDIDATE = re.compile(
    r"\byou(?:'ve| have)? (?:did|done|clearly|really|certainly|know|knew|understand|understood|showed|handled|were|are"
    r"|passed|failed|aced|nailed)\b|\byou(?:'d| would|'ll| will) (?:\w+ )?(?:make|be|fit|hear|get)\b"
    r"|\byour (?:answers?|performance|knowledge|understanding|best|day)\b|\b(?:well|nicely) (?:done|handled)\b"
    r"|\bflying colou?rs\b"
    r"|\b(?:in touch|an? (?:\w+ )?offer|our (?:team|company)|the team|join us|next round|next steps?|showing)\b"
    r"|\b(?:work|working) with you\b|\bwent (?:\w+ )?(?:well|badly|great|fine|smoothly)\b",
    re.IGNORECASE,
)
_FORMAT = re.compile(
    r"</?\w+>|\*\*|^\s*(?:interviewer|question|assistant|answer)\s*:|\bhere is (?:the|my) question\b"
    r"|\bin my own words\b",
    re.IGNORECASE,
)
TURNS_CHARS_MAX = 6_000
_TURN_CHARS_MAX = 1_200
_FIRST_WORDS = 12
_FIRST_CHARS = 120
# The fraction of the transcript's budget for complete turns; the rest is for the first words of older turns.
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
    MoveKind.EXPLAIN: "reply to the candidate's question about your question, and repeat your question.",
    MoveKind.HINT: "ask the candidate to say what they know; give no hint of your own.",
    MoveKind.TASK: "hand over a coding task.",
    MoveKind.VERDICT: "report what the grader found.",
    MoveKind.OFFER: "offer one more question, because there is time left.",
    MoveKind.FINISH: "end the interview: say goodbye to the candidate in half a sentence, and say this.",
}
_GREETS = re.compile(
    r"\b(?:hello|hi|hey|welcome|good (?:morning|afternoon|evening)|thanks|thank you"
    r"|(?:good|great|nice|glad|pleased|happy) to (?:meet|see|have|talk|speak))\b",
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    r"\bhow (?:are you|is it going|is your day|have you been)\b|\bhow's (?:it going|your day)\b"
    r"|\b(?:are you ready|ready to (?:start|begin)|shall we (?:start|begin))\?",
    re.IGNORECASE,
)
_GREETING_MEANING = "open the interview: greet the candidate in half a sentence, and ask the first question."
_SHRUNK_CHARS_MAX = 1_500
_WORDS_MAX = 60
_TEMPERATURE = 0.7


@dataclass(frozen=True)
class Manner:
    """One choice for each of the three voice settings."""

    persona: str = "neutral"
    style: str = "plain"
    strictness: str = "standard"

    @property
    def text(self) -> str:
        """Return the text that describes these settings in the prompt."""
        parts = (f"{PERSONAS[self.persona]}.", STYLES[self.style], STRICTNESS[self.strictness])
        return " ".join(part for part in parts if part)


def sentence_end(text: str) -> int:
    """Return the index where the first sentence of the text ends, or 0 if it is incomplete."""
    match = _SENTENCE.match(text)
    return match.end() if match else 0


def gives_grade(text: str) -> bool:
    """Return whether the text says how good an answer was."""
    return bool(_GRADE.search(text))


def is_whole(text: str) -> bool:
    """Return whether the text ends with a complete sentence."""
    return text.rstrip().endswith(_ENDS)


def first_fault(faults: Mapping[str, bool]) -> str:
    """Return the first of these faults that occurs in the text; "" if none occurs."""
    return next((fault for fault, holds in faults.items() if holds), "")


def declines(text: str) -> bool:
    """Return whether the model declines its role in this text."""
    return bool(_REFUSES.search(text))


def talks_about_score(text: str, known: str = "") -> bool:
    """Return whether the text mentions a score, a grade or hiring with a word that is not a technical term in `known`.

    "Your score" is never a technical term.
    """
    terms = {word.lower() for word in _SCORE.findall(known)}
    return bool(_YOUR_SCORE.search(text)) or not terms.issuperset(word.lower() for word in _SCORE.findall(text))


class WordingCheck:
    """Checks a model's wording of the bank's `words`.

    `open_points` are the rubric points that the candidate has not fully covered yet. The model may reuse the numbers in
    `candidate_text`, which is everything the candidate said. `chars_max` is the maximum total length. At the end of the
    interview, `is_closing` also forbids any mention of a score or of hiring; before that, "score" may be a technical
    term. `is_after_joke` allows phrases such as "nice one", which are forbidden after a real answer because they would
    grade it.
    """

    def __init__(
        self,
        words: str,
        open_points: Sequence[Point],
        candidate_text: str = "",
        *,
        is_closing: bool = False,
        is_after_joke: bool = False,
    ) -> None:
        self._words = words
        self._is_after_joke = is_after_joke
        self._is_closing = is_closing
        self._shows = [phrasing for point in open_points for phrasing in point.shows if not _hits(phrasing, words)]
        # A point without phrasings is recognized by its words.
        self._bare = [point for point in open_points if not point.shows]
        self._asked = stems(words)
        self._numbers = set(NUMBER.findall(words))
        self._known_numbers = self._numbers | set(NUMBER.findall(candidate_text))
        self._questions_max = max(1, words.count("?"))
        self._sentences_max = max(_SENTENCES_MAX, len(split_sentences(words)) + 1)
        self.chars_max = int(_STRETCH * len(words)) + _LEAD_IN_CHARS_MAX

    def find_violation(self, text: str) -> str:
        """Return the problem with the text so far; "" if the text may be shown."""
        graded = _ON_A_JOKE.sub("", text) if self._is_after_joke else text
        faults = {
            _STATES_POINT: self.states_open_point(text),
            "gives a grade": gives_grade(graded) and not gives_grade(self._words),
            "gives a hint": bool(_HINTS.search(text)) and not _HINTS.search(self._words),
            "contains markup or a label": bool(_FORMAT.search(text)) and not _FORMAT.search(self._words),
            "declines to ask": declines(text) and not declines(self._words),
            "talks about the result": self._is_closing and bool(talks_about_score(text) or _OF_CANDIDATE.search(text)),
            "asks more than one thing": text.count("?") > self._questions_max or bool(_SMALL_TALK.search(text)),
            "is too long": len(text) > self.chars_max or len(split_sentences(text)) > self._sentences_max,
            "adds a number": not self._known_numbers.issuperset(NUMBER.findall(text)),
            "contains an API key": masker(os.environ)(text) != text,
            "is not in English": not is_english(text, self._words),
        }
        return first_fault(faults)

    def states_open_point(self, text: str) -> bool:
        """Return whether the text gives away a point that the candidate has not shown."""
        sentences = split_sentences(text)
        return any(_hits(phrasing, text) for phrasing in self._shows) or any(
            match_point(point, sentences, self._asked).state.credit for point in self._bare
        )

    def find_omission(self, text: str) -> str:
        """Return why the complete text does not ask all of the bank's question; "" if it does.

        An example of such a reason is "leaves out a number".
        """
        if "?" in self._words and "?" not in text:
            return "asks no question"
        if text.count("?") < self._words.count("?"):
            return "leaves out a question"
        if "?" in self._words and text.rstrip(" \"'”").endswith((".", ")")) and self._words.rstrip().endswith("?"):
            return "continues after the question"
        if not is_whole(text) and is_whole(self._words):
            return "ends in the middle of a sentence"
        # The answer is judged against the bank's question, so the text must ask the same thing with the same numbers.
        if not self._numbers.issubset(NUMBER.findall(text)):
            return "leaves out a number"
        asked, said = set(self._asked), stems(text)
        if len(asked.intersection(said)) < _ASKED_SHARE * len(asked):
            return "asks something else"
        is_half = not self._is_closing and any(self._is_left_out(text, said))
        return "leaves out half of the question" if is_half else ""

    def _is_left_out(self, text: str, said: frozenset[str]) -> Iterator[bool]:
        """For each half of each sentence of the bank's question, yield whether `text` leaves it out.

        Words that both halves share are ignored. A half may have only words that the other half has, too ("... and what
        does it not fix?"), so question words are counted as well.
        """
        yield bool(re.search(r"\bwhy\b", self._words, re.IGNORECASE)) and not _WHY.search(text)
        asked, asking = (len(_QUESTION_WORD.findall(one)) for one in (self._words, text))
        yield asked > 1 and asking < asked
        sentences = split_sentences(self._words)
        for border in (_HALVES, _ITEMS):
            halves = [stems(half) for part in sentences for half in border.split(part.text)]
            for place, half in enumerate(halves):
                own = half.difference(*halves[:place], *halves[place + 1 :])
                yield bool(own) and len(own & said) < _ASKED_SHARE * len(own)


def _hits(phrasing: str, text: str) -> bool:
    return any(compiled(phrasing).search(sentence.text) for sentence in split_sentences(text))


def greets(move: Move) -> bool:
    """Return whether the move opens the interview, so that the model words the greeting, too."""
    return move.lead == GREETING


def voice_messages(
    move: Move,
    turns: Sequence[tuple[bool, str]],
    manner: str,
    chars_max: int = TURNS_CHARS_MAX,
    still_open: Sequence[str] = (),
) -> list[Message]:
    """Return the messages that ask a model to rephrase a move's words, which are in the last message's <convey> tag.

    `turns` are pairs: whether the interviewer spoke, and the text. At most about `chars_max` characters of the turns
    are included. `still_open` says in neutral words what the candidate left open.
    """
    transcript = format_turns(turns, chars_max)
    tag = fence_tag(transcript)
    return prompt_messages(
        "voice",
        manner=manner,
        move=move.kind.value,
        meaning=_GREETING_MEANING if greets(move) else _MEANING[move.kind],
        tag=tag,
        turns=transcript,
        still_open="; ".join(still_open) or "nothing",
        # A lead-in can contain a quote from the candidate.
        lead="nothing" if greets(move) else _shortened(visible(move.lead)) or "nothing",
        words=move.words,
    )


def format_turns(turns: Sequence[tuple[bool, str]], chars_max: int) -> str:
    """Return the turns, one per line: the last turns in full, older turns shortened, and a count of the rest.

    The model is told about every omission; otherwise it would assume it sees the whole conversation.
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
    text = text.replace("convey>", "convey")  # a candidate must not be able to open or close a <convey> block
    return without_middle(text, _TURN_CHARS_MAX, " … ")


class Speech:
    """Speaks one move. After `spoken` returns, `failure` and `violation` say what went wrong.

    `failure` is the model's error and `violation` is the check's finding; in both cases, the bank's wording was used.
    The model must not state any of `open_points`. The prompt contains `still_open`, which describes some of these
    points in neutral words. `is_after_joke` says that the candidate's last answer was only a joke or an instruction.
    """

    def __init__(
        self,
        voice: ChatModel,
        move: Move,
        turns: Sequence[tuple[bool, str]],
        manner: Manner,
        open_points: Sequence[Point] = (),
        still_open: Sequence[str] = (),
        *,
        is_after_joke: bool = False,
    ) -> None:
        self.failure: ChatError | None = None
        self.violation = ""
        self._voice = voice
        self._move = move
        self._turns = turns
        self._manner = manner
        self._still_open = still_open
        # The prompt does not contain the points, so no prompt injection can make the model reveal them.
        self._candidate_text = "\n".join(text for is_interviewer, text in turns if not is_interviewer)
        is_closing = move.kind is MoveKind.FINISH
        self._check = WordingCheck(
            move.words, open_points, self._candidate_text, is_closing=is_closing, is_after_joke=is_after_joke
        )
        self._words = ""

    def spoken(self, is_cancelled: Callable[[], bool] = never_cancelled) -> str:
        """Return the text to show: `move.lead`, then the model's wording or, if that is unusable, the question bank's.

        If the move greets the candidate and the model's wording contains a greeting, it replaces `move.lead`.
        Shown text cannot be withdrawn, and half a sentence may be enough to leak the answer, so the model's words are
        used only if all of them pass every check. The model's words are also discarded if the candidate interrupts the
        model.
        """
        try:
            words = self._heard(is_cancelled)
            self.violation = self.violation or self._check.find_omission(words)
        except ChatCancelled:
            words = ""
        except ChatError as error:
            words, self.failure = "", error
        self._words = "" if self.violation else words.strip()
        if greets(self._move) and _GREETS.search(self._words):
            return self._words
        return replace(self._move, words=self._words or self._move.words).text

    def words_if_sayable(self, open_points: Sequence[Point]) -> str:
        """Return the model's words without the lead-in, or "" if they fail a check or state one of these points."""
        check = WordingCheck(self._move.words, open_points, self._candidate_text)
        self.violation = self.violation or check.find_violation(self._words)
        return "" if self.violation else self._words

    def _heard(self, is_cancelled: Callable[[], bool]) -> str:
        """Return the model's words up to the first violation."""
        words, checked = "", 0
        # Close the stream right after a violation, so that the server does not generate unused tokens.
        with closing(self._streamed(is_cancelled)) as pieces:
            for piece in pieces:
                words += piece
                # Only complete sentences can be checked; a sentence that never ends eventually exceeds the length
                # limit.
                while end := sentence_end(words[checked:]):
                    checked += end
                    self.violation = self.violation or self._check.find_violation(words[:checked])
                if len(words) > self._check.chars_max:
                    self.violation = self._check.find_violation(words)
                if self.violation:
                    return words
        self.violation = self._check.find_violation(words)
        return words

    def _streamed(self, is_cancelled: Callable[[], bool]) -> Generator[str, None, None]:
        try:
            yield from self._voice.stream(self._messages(TURNS_CHARS_MAX), is_cancelled)
        except ContextTooLong:
            # Servers report this error before the first token, so no text is repeated.
            yield from self._voice.stream(self._messages(_SHRUNK_CHARS_MAX), is_cancelled)

    def _messages(self, chars_max: int) -> list[Message]:
        return voice_messages(self._move, self._turns, self._manner.text, chars_max, self._still_open)


class Improvisation:
    """Asks one model-written question. `opened_with` is the bank question that was asked first.

    After `spoken` returns, `failure` is the model's error or None, and `violation` is the problem that the checks found
    with the question, or "".
    """

    def __init__(self, voice: ChatModel, opened_with: str, turns: Sequence[tuple[bool, str]], manner: str) -> None:
        self.failure: ChatError | None = None
        self.violation = ""
        self._voice = voice
        transcript = format_turns(turns, TURNS_CHARS_MAX)
        self._talked_about = frozenset(stems(f"{opened_with}\n{transcript}"))
        fields = {"question": opened_with, "turns": transcript, "tag": fence_tag(transcript)}
        self._messages = prompt_messages("improvise", manner=manner, **fields)
        self._opened_with = opened_with
        self._words = ""

    def spoken(self, is_cancelled: Callable[[], bool] = never_cancelled) -> str:
        """Return the question; "" if the model failed or wrote no acceptable question."""
        try:
            reply = self._voice.complete(self._messages, temperature=_TEMPERATURE, is_cancelled=is_cancelled).text
        except ChatCancelled:
            return ""
        except ChatError as error:
            self.failure = error
            return ""
        asked = " ".join(reply.split())
        is_one_question = asked.endswith("?") and asked.count("?") == 1 and len(asked.split()) <= _WORDS_MAX
        faults = {
            "is not one short question": not is_one_question,
            "gives a grade": gives_grade(asked),
            "declines to ask": declines(asked),
            "asks about something else": self._talked_about.isdisjoint(stems(asked)),
            "is not in English": not is_english(asked, self._opened_with),
            "contains an API key": masker(os.environ)(asked) != asked,
        }
        self.violation = first_fault(faults)
        self._words = "" if self.violation else asked
        return self._words

    def words_if_sayable(self, open_points: Sequence[Point]) -> str:
        """Return the question, or "" if there is no question or the question states one of these points."""
        if WordingCheck("", open_points).states_open_point(self._words):
            self.violation = _STATES_POINT
        return "" if self.violation else self._words


def explain_question(
    voice: ChatModel,
    move: Move,
    opened_with: str,
    asks: str,
    manner: str,
    open_points: Sequence[Point],
    is_cancelled: Callable[[], bool] = never_cancelled,
) -> tuple[str, str]:
    """Return the model's reply to the candidate's clarifying question (`asks`), and the problem that the checks found.

    The reply is "" if a check failed or the candidate interrupted it. The model does not see the question's points.
    The reply must be in English, reveal no point, give no grade, add no number, and ask nothing. Raises ChatError if
    the model fails.
    """
    asks = _shortened(visible(asks))
    tag = fence_tag(asks)
    fields = {"question": opened_with, "asked": move.words, "prepared": move.lead, "asks": asks, "tag": tag}
    messages = prompt_messages("explain", manner=manner, **fields)
    try:
        reply = " ".join(voice.complete(messages, temperature=_TEMPERATURE, is_cancelled=is_cancelled).text.split())
    except ChatCancelled:
        return "", ""
    is_short = len(reply.split()) <= _WORDS_MAX and "?" not in reply
    known = f"{opened_with} {move.words} {move.lead}"
    check = WordingCheck(known, open_points, asks)
    violation = check.find_violation(reply) if is_short else "asks a question or is too long"
    if not violation and not is_whole(reply):
        violation = "ends in the middle of a sentence"
    if not violation and set(stems(f"{known} {asks}")).isdisjoint(stems(reply)):
        violation = "talks about something else"
    return "" if violation else reply, violation
