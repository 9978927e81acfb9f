"""Counts votes on one answer: what less than two thirds of them say is undecided, and earns and costs nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from interviewer.examiner.judgement import FLAGS, Vote
from interviewer.examiner.quotes import QuotableAnswer
from interviewer.session.assessment import Assessment, Belief, PointState, State
from interviewer.session.question import Question

VOTES_MAX = 3
MAJORITY = 2


def is_settled(votes: Sequence[Vote]) -> bool:
    """Tell whether more votes could change nothing: one without doubt, two that agree, or three."""
    if len(votes) < MAJORITY:
        return bool(votes) and not votes[0].is_doubtful
    first, second = votes[:MAJORITY]
    return len(votes) == VOTES_MAX or _said(first) == _said(second)


def settled(judge: str, question: Question, answer: QuotableAnswer, votes: Sequence[Vote]) -> Assessment:
    """Return what the votes say together."""
    needed = min(MAJORITY, len(votes))
    flags = Counter(flag for vote in votes for flag in vote.flags)
    heard = [flag for flag in FLAGS if flags[flag] >= needed or (flag == "instruction" and answer.has_instruction)]
    return Assessment(
        judge,
        is_graded=True,
        points=tuple(_majority([vote.points[point.id] for vote in votes], needed) for point in question.points),
        misconceptions=_shared([vote.beliefs for vote in votes], needed),
        flags=(*heard, "cut") if answer.is_cut else tuple(heard),
    )


def _said(vote: Vote) -> tuple[dict[str, State], frozenset[str]]:
    return {name: point.state for name, point in vote.points.items()}, frozenset(one.id for one in vote.beliefs)


def _majority(states: Sequence[PointState], needed: int) -> PointState:
    (state, count), *_ = Counter(one.state for one in states).most_common()
    votes = f"{count} of {len(states)}" if len(states) > 1 else ""
    first = next(one for one in states if one.state is state)
    return replace(first, votes=votes) if count >= needed else PointState(first.id, State.UNDECIDED, votes=votes)


def _shared(votes: Sequence[tuple[Belief, ...]], needed: int) -> tuple[Belief, ...]:
    counts = Counter(belief.id for beliefs in votes for belief in beliefs)
    first = {belief.id: belief for beliefs in reversed(votes) for belief in beliefs}
    return tuple(belief for name, belief in first.items() if counts[name] >= needed)
