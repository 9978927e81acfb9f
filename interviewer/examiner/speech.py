"""Says one move through a model; nothing is shown that was not checked, and the question always gets asked."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing

from interviewer.chat.model import ChatCancelled, ChatError, ChatModel, ContextTooLong, Message
from interviewer.chat.waiting import never
from interviewer.examiner.manners import Manner
from interviewer.examiner.spoken import SpokenCheck, sentence_end
from interviewer.examiner.voice import TURNS_CHARS_MAX, voice_messages
from interviewer.session.move import Move
from interviewer.session.question import Point

_SHRUNK_CHARS_MAX = 1_500


class Speech:
    """Speak one move. When `pieces` has ended, the other fields tell what was said and what went wrong.

    `failure` is the model's, `fault` what the check found in its words; both mean that the bank's own words were said.
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
        self.fault = ""
        self._voice = voice
        self._move = move
        self._turns = turns
        self._manner = manner
        # The model is not told the points: what it does not know it cannot be talked into saying.
        heard = "\n".join(text for is_interviewer, text in turns if not is_interviewer)
        self._check = SpokenCheck(move.words, open_points, heard)

    def pieces(self, is_cancelled: Callable[[], bool] = never) -> Iterator[str]:
        """Yield what may be shown as it comes: the move's lead, then sentence by sentence.

        What was shown cannot be taken back, and half a sentence can be the half that leaks; so a sentence is the
        smallest piece, and the first one that fails ends the model's turn.
        """
        if self._move.lead:
            yield self._spoken(f"{self._move.lead}\n\n")
        said = ""
        try:
            # Closed at once after a fault: the server must not go on speaking, and being paid, for nobody.
            with closing(self._sentences(is_cancelled)) as sentences:
                for sentence in sentences:
                    self.fault = self._check.fault(said + sentence)
                    if self.fault:
                        break
                    said += sentence
                    yield self._spoken(sentence)
            self.fault = self.fault or self._check.lacks(said)
        except ChatCancelled:
            # Stopped before a word: the question itself must still be there to answer.
            self.is_cut = bool(said)
        except ChatError as error:
            self.failure = error
        if self.fault or self.failure or not said:
            yield self._spoken(f"\n\n{self._move.words}" if said else self._move.words)

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
