"""Questions and coding tasks as the interview uses them; pure data, and the draws of checks."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

LETTERS = "ABCDEF"
_PLACE = re.compile(r"\{([a-z]\w*)\}")


@dataclass(frozen=True)
class Point:
    """Hold one thing a full answer shows. `shows` are regular expressions that the offline examiner matches.

    `still_open` names what the point is about without giving it away, for an interviewer who has heard the rest:
    "what happens to the gradient below 1 - eps". "" if nobody has written it.
    """

    id: str
    says: str
    shows: tuple[str, ...]
    still_open: str = ""


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
class Given:
    """Hold the values that an input of a check may take; the session's seed draws one."""

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class WrongClaim:
    """Hold a claim that is wrong, as a colleague would say it; `believes` is the misconception of who picks it."""

    says: str
    believes: str = ""


@dataclass(frozen=True)
class Check:
    """Hold a follow-up whose answer code verifies; the right answer proves the rung.

    `{name}` in the texts stands for a value of `given`. The answer is one of these:
    - `number`: an expression of the inputs, in `unit`; `within` is the relative tolerance
    - `accepts`: a term, one of these
    - `order`: these items in this order; they are shown shuffled
    With `holds` and `fails`, the candidate picks the claim that holds and also states the number or the term that
    decides it. `wrong` are results that people often state: expressions beside `number`, terms beside `accepts`.
    """

    rung: int
    ask: str
    given: tuple[Given, ...] = ()
    number: str = ""
    unit: str = ""
    within: float = 0.02
    accepts: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    holds: str = ""
    fails: tuple[WrongClaim, ...] = ()
    wrong: tuple[str, ...] = ()

    def draw(self, seed: str) -> DrawnCheck:
        """Return the check with its inputs and the order of its options drawn by a seed."""
        rng = random.Random(seed)
        values = {given.name: rng.choice(given.values) for given in self.given}
        # The order in which options are shown: places in `claims`, of which the first holds, or in `order`.
        shown = list(range(len(self.order) or (1 + len(self.fails) if self.holds else 0)))
        while shown == sorted(shown) and len(self.order) > 1:
            rng.shuffle(shown)
        if self.holds:
            rng.shuffle(shown)
        return DrawnCheck(self, values, tuple(shown))


@dataclass(frozen=True)
class DrawnCheck:
    """Hold a check as it is asked once: its inputs, and which option stands at each letter."""

    check: Check
    values: Mapping[str, float]
    shown: tuple[int, ...]

    @cached_property
    def options(self) -> tuple[str, ...]:
        """Return the options in the order of their letters; empty if there is nothing to choose."""
        texts = self.check.order or (self.check.holds, *(claim.says for claim in self.check.fails))
        return tuple(self._filled(texts[place]) for place in self.shown)

    @property
    def text(self) -> str:
        """Return the question, with one line for each option."""
        lines = [f"{letter}) {option}" for letter, option in zip(LETTERS, self.options, strict=False)]
        return "\n\n".join((self._filled(self.check.ask), *lines))

    @property
    def answer(self) -> str:
        """Return the letters of the right answer: of the claim that holds, or of all items in order; "" without."""
        if self.check.order:
            return "".join(LETTERS[self.shown.index(place)] for place in range(len(self.shown)))
        return LETTERS[self.shown.index(0)] if self.shown else ""

    def belief_of(self, letter: str) -> str:
        """Return the misconception of who picks this letter; "" if there is none."""
        place = self.shown[LETTERS.index(letter)]
        return self.check.fails[place - 1].believes if self.check.holds and place else ""

    def _filled(self, text: str) -> str:
        """Return the text with the inputs in it; other braces stay as they are."""
        return _PLACE.sub(
            lambda match: as_written(self.values[match[1]]) if match[1] in self.values else match[0], text
        )


def as_written(value: float) -> str:
    """Return a number as an interviewer writes it: 128, 16,384, 0.25."""
    return (
        f"{int(value):,}".replace(",", "" if abs(value) < 10_000 else ",") if value == int(value) else f"{value:.12g}"
    )


@dataclass(frozen=True)
class Question:
    """Hold one question of the bank; `area` and `id` are its folder's and file's names.

    `tasks` are ids of coding tasks that practice it; `after` are ids of the questions that it builds on. `called` is
    what a person calls it, "" if nobody has named it.
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
    called: str = ""
    checks: tuple[Check, ...] = ()

    @property
    def title(self) -> str:
        """Return what a person reads instead of the id."""
        return self.called or self.id.replace("_", " ")

    @property
    def searched(self) -> str:
        """Return the words by which a search finds this question, including its hidden points."""
        return " ".join((self.title, self.prompt, *self.topics, *(point.says for point in self.points)))

    def checks_of(self, rung: int) -> tuple[Check, ...]:
        """Return the checks that prove a rung; `rung` counts from 1."""
        return tuple(check for check in self.checks if check.rung == rung)

    def drawn_check(self, target: str, seed: int) -> DrawnCheck:
        """Return a check as a session with this seed asks it. `target` is its place and the number of the draw ("2.0").

        Raises: ValueError, IndexError.
        """
        return self.checks[int(target.partition(".")[0])].draw(f"{seed}/{self.id}/{target}")

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
