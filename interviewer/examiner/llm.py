"""Judges with a language model that only points at words: quotes are checked here, and no number comes from it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

from interviewer.chat.model import ChatCancelled, ChatError, ChatModel, Message
from interviewer.chat.waiting import never
from interviewer.examiner.judgement import FLAGS, UnusableReply, Vote, schema_of, vote_of
from interviewer.examiner.prompts import messages_of
from interviewer.examiner.quotes import QuotableAnswer, is_contentless
from interviewer.session.assessment import Assessment, Belief, PointState, State
from interviewer.session.question import Question

_FIRST_TEMPERATURE = 0.0
_NEXT_TEMPERATURE = 0.4
_VOTES = 3
_MAJORITY = 2
_REPAIR_CHARS_MAX = 6_000


class LLMExaminer:
    """Judge answers with this model. `rng` draws the fence's tag and the order of the points."""

    def __init__(self, model: ChatModel, rng: random.Random | None = None) -> None:
        self.name = f"llm:{model.name}"
        self._model = model
        # From the system: a candidate who knew the tag could close the fence.
        self._rng = rng or random.SystemRandom()

    def assess(
        self, question: Question, asked: str, answer: str, is_cancelled: Callable[[], bool] = never
    ) -> Assessment:
        """Return the state of every point of the question in this answer, each credited one with its quote."""
        if is_contentless(answer):
            return Assessment(self.name, is_graded=False, flags=("empty",), why_not="The answer has no content.")
        quotable = QuotableAnswer(answer, question.prompt, asked)
        votes: list[Vote] = []
        why_not = ""
        while not why_not and not _is_settled(votes):
            try:
                votes.append(self._vote(question, asked, quotable, len(votes), is_cancelled))
            except ChatCancelled as error:
                return self._ungraded(error.message)
            except ChatError as error:
                why_not = error.message
            except UnusableReply as error:
                why_not = f"{self._model.name}: no usable judgement came ({error})."
        # A lone vote that asked for others and got none is no majority.
        if why_not and len(votes) < _MAJORITY:
            return self._ungraded(why_not)
        return self._settled(question, quotable, votes)

    def _vote(
        self, question: Question, asked: str, answer: QuotableAnswer, index: int, is_cancelled: Callable[[], bool]
    ) -> Vote:
        """Return one vote; asks once more when the reply cannot be used. Raises: ChatError, UnusableReply."""
        messages = self._messages(question, asked, answer, is_shuffled=index > 0)
        schema = schema_of(question)
        temperature = _NEXT_TEMPERATURE if index else _FIRST_TEMPERATURE
        reply = self._model.complete(messages, schema, temperature, is_cancelled).text
        try:
            return vote_of(reply, question, answer)
        except UnusableReply as error:
            messages += [
                Message("assistant", reply[:_REPAIR_CHARS_MAX]),
                Message(
                    "user", f"This cannot be used: {error}. Reply again with the whole JSON object and nothing else."
                ),
            ]
        return vote_of(self._model.complete(messages, schema, temperature, is_cancelled).text, question, answer)

    def _messages(self, question: Question, asked: str, answer: QuotableAnswer, is_shuffled: bool) -> list[Message]:
        points = list(question.points)
        if is_shuffled:
            self._rng.shuffle(points)
        tag = f"{self._rng.getrandbits(64):016x}"
        return messages_of(
            "judge",
            tag=tag,
            question=question.prompt,
            asked=asked,
            points="\n".join(f"- {point.id}: {point.says}" for point in points),
            misconceptions="\n".join(f"- {one.id}: {one.says}" for one in question.misconceptions) or "none",
            answer=answer.numbered().replace(tag, ""),
        )

    def _settled(self, question: Question, answer: QuotableAnswer, votes: Sequence[Vote]) -> Assessment:
        needed = min(_MAJORITY, len(votes))
        flags = Counter(flag for vote in votes for flag in vote.flags)
        heard = [flag for flag in FLAGS if flags[flag] >= needed or (flag == "instruction" and answer.has_instruction)]
        return Assessment(
            self.name,
            is_graded=True,
            points=tuple(_majority([vote.points[point.id] for vote in votes], needed) for point in question.points),
            misconceptions=_shared([vote.beliefs for vote in votes], needed),
            flags=(*heard, "cut") if answer.is_cut else tuple(heard),
        )

    def _ungraded(self, why_not: str) -> Assessment:
        return Assessment(self.name, is_graded=False, why_not=why_not)


def _is_settled(votes: Sequence[Vote]) -> bool:
    """Tell whether more votes could change nothing."""
    if len(votes) < _MAJORITY:
        return bool(votes) and not votes[0].is_doubtful
    first, second = votes[:_MAJORITY]
    is_agreed = all(second.points[name].state is point.state for name, point in first.points.items())
    return len(votes) == _VOTES or is_agreed


def _majority(states: Sequence[PointState], needed: int) -> PointState:
    counts = Counter(one.state for one in states)
    return next((one for one in states if counts[one.state] >= needed), PointState(states[0].id, State.UNDECIDED))


def _shared(votes: Sequence[tuple[Belief, ...]], needed: int) -> tuple[Belief, ...]:
    counts = Counter(belief.id for beliefs in votes for belief in beliefs)
    first = {belief.id: belief for beliefs in reversed(votes) for belief in beliefs}
    return tuple(belief for name, belief in first.items() if counts[name] >= needed)
