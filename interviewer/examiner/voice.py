"""Words for a move that the engine chose; the model learns the bank's words and what was said, nothing of points."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from interviewer.chat.model import Message
from interviewer.examiner.prompts import messages_of
from interviewer.examiner.quotes import visible
from interviewer.session.move import MoveKind

_TURNS_MAX = 6
_TURN_CHARS_MAX = 1_200
_MEANING = {
    MoveKind.NEXT: "open a new question.",
    MoveKind.DEEPER: "go one step deeper into the same question.",
    MoveKind.PROBE: "ask about one thing the candidate has not made clear.",
    MoveKind.CHALLENGE: "put a claim of the candidate to the test, without saying whether it is right.",
    MoveKind.CLARIFY: "ask what the candidate means.",
    MoveKind.HINT: "give exactly this hint and no more.",
    MoveKind.TASK: "hand over a coding task.",
    MoveKind.VERDICT: "report what the grader found.",
    MoveKind.FINISH: "end the interview.",
}


def voice_messages(
    move_kind: MoveKind, words: str, recent_turns: Sequence[tuple[bool, str]], persona: str
) -> list[Message]:
    """Return the messages that ask a model to say these words of the bank; the last ends with them in <convey>.

    `recent_turns` are pairs of whether the interviewer spoke, and the text.
    """
    lines = [
        f"{'interviewer' if is_interviewer else 'candidate'}: {_shortened(visible(text))}"
        for is_interviewer, text in recent_turns[-_TURNS_MAX:]
    ]
    turns = "\n".join(lines) or "(nothing yet)"
    # Made from the text itself: whoever writes it cannot know the tag before the text is done.
    tag = hashlib.sha256(turns.encode()).hexdigest()[:16]
    return messages_of(
        "voice", persona=persona, move=move_kind.value, meaning=_MEANING[move_kind], tag=tag, turns=turns, words=words
    )


def _shortened(text: str) -> str:
    text = text.replace("convey>", "convey")  # a candidate may not open or close that block
    return text if len(text) <= _TURN_CHARS_MAX else text[:_TURN_CHARS_MAX].rsplit(" ", 1)[0] + " …"
