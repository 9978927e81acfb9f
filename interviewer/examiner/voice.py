"""Words for a move that the engine chose; the model learns the bank's words and what was said, nothing of points."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from interviewer.chat.model import Message
from interviewer.examiner.prompts import messages_of
from interviewer.examiner.quotes import visible
from interviewer.session.move import MoveKind

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
    MoveKind.CHALLENGE: "put a claim of the candidate to the test, without saying whether it is right.",
    MoveKind.DOUBT: "ask whether the candidate stands by what they said, without saying whether it is right.",
    MoveKind.IMPROVISE: "ask one step beyond what was prepared.",
    MoveKind.OBSERVER: "ask what a human observer wants to know.",
    MoveKind.CLARIFY: "ask what the candidate means.",
    MoveKind.HINT: "give exactly this hint and no more.",
    MoveKind.TASK: "hand over a coding task.",
    MoveKind.VERDICT: "report what the grader found.",
    MoveKind.FINISH: "end the interview.",
}


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
    told = told_turns(turns, chars_max)
    # Made from the text itself: whoever writes it cannot know the tag before the text is done.
    tag = hashlib.sha256(told.encode()).hexdigest()[:16]
    return messages_of(
        "voice", manner=manner, move=move_kind.value, meaning=_MEANING[move_kind], tag=tag, turns=told, words=words
    )


def told_turns(turns: Sequence[tuple[bool, str]], chars_max: int) -> str:
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
        told = f"{who}: {line}" if is_whole else begun
        (whole if is_whole else first_words).append(told)
        used += len(told)
    left_out = len(turns) - len(whole) - len(first_words)
    gap = [f"(earlier turns left out here: {left_out})"] if left_out else []
    return "\n".join([*gap, *reversed(first_words), *reversed(whole)]) or "(nothing yet)"


def _shortened(text: str) -> str:
    text = text.replace("convey>", "convey")  # a candidate may not open or close that block
    return text if len(text) <= _TURN_CHARS_MAX else text[:_TURN_CHARS_MAX].rsplit(" ", 1)[0] + " …"
