"""Questions and coding tasks as the interview uses them; pure data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    """Hold one thing a full answer shows. `shows` are regular expressions that the offline examiner matches."""

    id: str
    says: str
    shows: tuple[str, ...]


@dataclass(frozen=True)
class Rung:
    """Hold one step of the ladder; `points` are ids of the question's points, and `hints` come mildest first.

    `check` is an expression for the number that the rung asks for ("2 * 28 * 4 * 128 * 2"), "" if it asks for none;
    `within` is the relative tolerance of an answer.
    """

    ask: str
    answer: str
    points: tuple[str, ...]
    hints: tuple[str, ...]
    check: str = ""
    within: float = 0.02


@dataclass(frozen=True)
class Probe:
    """Hold a follow-up for a missing point (`missing`) or for a misconception (`believes`)."""

    ask: str
    missing: str = ""
    believes: str = ""


@dataclass(frozen=True)
class Misconception:
    """Hold a wrong belief, its phrasings, and the question that exposes it."""

    id: str
    says: str
    shows: tuple[str, ...]
    ask: str


@dataclass(frozen=True)
class Question:
    """Hold one question of the bank; `area` and `id` are its folder's and file's names.

    `tasks` are ids of coding tasks that practice it; `after` are ids of the questions that it builds on.
    """

    id: str
    area: str
    level: int
    topics: tuple[str, ...]
    seeds: tuple[str, ...]
    source: tuple[str, ...]
    prompt: str
    points: tuple[Point, ...]
    rungs: tuple[Rung, ...]
    probes: tuple[Probe, ...]
    misconceptions: tuple[Misconception, ...]
    tasks: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Return what a person reads instead of the id."""
        return self.id.replace("_", " ")

    def point(self, point_id: str) -> Point:
        """Return the point with this id. Raises: KeyError when there is none."""
        return {point.id: point for point in self.points}[point_id]

    def misconception(self, misconception_id: str) -> Misconception:
        """Return the misconception with this id. Raises: KeyError when there is none."""
        return {misconception.id: misconception for misconception in self.misconceptions}[misconception_id]


@dataclass(frozen=True)
class TaskBrief:
    """Hold the part of a coding task that an interview needs; only the grader has the rest.

    `after_pass` is the question that follows a pass, about cost or numerics; "" for the one of the kind.
    """

    id: str
    title: str
    kind: str
    minutes: float
    topics: tuple[str, ...]
    statement: str
    starter: str
    hints: tuple[str, ...]
    area: str = ""
    level: int = 0
    after_pass: str = ""
