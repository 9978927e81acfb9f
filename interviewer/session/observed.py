"""What a human observer adds to a session: questions that nothing scores, and marks that stay the observer's own.

An observer's question takes the interviewer's next turn; the move it displaced is held and said after the answer.
Nothing judges that answer: no point says what a right answer to it is. So a score means the same with an observer or
without; what the observer heard is in the marks, a third column beside the machine's and the candidate's own.
"""

from __future__ import annotations

from dataclasses import dataclass

from interviewer.session.assessment import State
from interviewer.session.move import Move, MoveKind

# The moves that ask a follow-up or open a question; help, verdicts and the end are not put off.
DISPLACED = frozenset(
    {
        MoveKind.NEXT,
        MoveKind.DEEPER,
        MoveKind.PROBE,
        MoveKind.CHALLENGE,
        MoveKind.DOUBT,
        MoveKind.CLARIFY,
        MoveKind.IMPROVISE,
    }
)


@dataclass(frozen=True)
class ObserverMark:
    """Hold what an observer marked for one point of one question."""

    question: str
    point: str
    state: State
    who: str


@dataclass(frozen=True)
class Observed:
    """Hold the numbers of the last notes that took effect, the move held back, and the marks, one for each point."""

    asked: int = 0
    marked: int = 0
    held: Move | None = None
    marks: tuple[ObserverMark, ...] = ()

    def state_of(self, question: str, point: str) -> State | None:
        """Return the observer's mark for a point, or None."""
        return next((one.state for one in self.marks if (one.question, one.point) == (question, point)), None)

    def with_marks(self, marks: tuple[ObserverMark, ...]) -> tuple[ObserverMark, ...]:
        """Return all marks after these were made; a later mark replaces an earlier one of the same point."""
        known = {(one.question, one.point): one for one in (*self.marks, *marks)}
        return tuple(known.values())
