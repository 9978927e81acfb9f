"""The types for questions and coding tasks: pure data, plus code that draws a check's random inputs."""

from __future__ import annotations

import datetime
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

LETTERS = "ABCDEF"
MIDDLE_OF_A_LIST = 25
_DRAW_TRIES = 20
_WORD = re.compile(r"\w+")
_QUESTION = re.compile(r"(?:(?![.!?]\s)[^?？])*[?？]")
_PLACE = re.compile(r"\{([a-z]\w*)\}")


@dataclass(frozen=True)
class Point:
    """One rubric point that a full answer covers.

    `says` is the claim, or several claims; in that case, `enough` tells the judge how many of them are needed for full
    credit ("Either half is enough."). The candidate sees only `says`. If `says` is a single claim, `enough` is "". In
    logs that predate `enough`, it is also "", and its text is part of `says`.

    `shows` are regular expressions that the offline examiner uses in addition to the learned matcher; a point may have
    none. `still_open` names the point's topic without giving away the point ("what happens to the gradient below 1 -
    eps"); it is used when the candidate has covered all other points of the rung. `still_open` is "" if the point has
    no such text.
    """

    id: str
    says: str
    shows: tuple[str, ...]
    still_open: str = ""
    enough: str = ""

    @property
    def for_judge(self) -> str:
        """Return the point's text for the judge: the claims, and how many of them are enough."""
        return f"{self.says} {self.enough}".rstrip()


@dataclass(frozen=True)
class Rung:
    """One step of the ladder; `points` are ids of the question's points, and `hints` start with the mildest.

    `check` is an expression for the number that the rung asks for ("2 * 28 * 4 * 128 * 2"), or "" if the rung does not
    ask for a number; `within` is the relative tolerance for the answer.
    """

    ask: str
    answer: str
    points: tuple[str, ...]
    hints: tuple[str, ...]
    check: str = ""
    within: float = 0.02


@dataclass(frozen=True)
class Probe:
    """A follow-up for a missing point (`missing`) or for a misconception (`believes`)."""

    ask: str
    missing: str = ""
    believes: str = ""


@dataclass(frozen=True)
class Misconception:
    """A wrong belief, the phrasings that reveal it, and the question that exposes it."""

    id: str
    says: str
    shows: tuple[str, ...]
    ask: str


@dataclass(frozen=True)
class Given:
    """The possible values for one input of a check; one value is drawn, using the session's seed."""

    name: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class WrongClaim:
    """A wrong claim in a colleague's words; `believes` is the misconception that picking this claim reveals."""

    says: str
    believes: str = ""


@dataclass(frozen=True)
class Check:
    """A follow-up whose answer is verified in code; a right answer proves that the candidate has reached the rung.

    `{name}` in the texts is replaced with a value from `given`. The answer is one of these:
    - `number`: an expression in terms of the inputs, measured in `unit`; `within` is the relative tolerance
    - `accepts`: the answer must contain at least one of these terms
    - `order`: the answer must list these items in this order; the question shows them shuffled

    If `holds` and `fails` are set, the candidate picks the true claim and also states the number or the term that
    decides which claim is true. `wrong` lists common wrong results: expressions for a `number`, terms for `accepts`.
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
        """Draw the inputs and shuffle the options, using a seed."""
        rng = random.Random(seed)
        values = {given.name: rng.choice(given.values) for given in self.given}
        # The order in which options are shown, as indices into `order` or into the claims (the claim at index 0 is
        # true).
        shown = list(range(len(self.order) or (1 + len(self.fails) if self.holds else 0)))
        while shown == sorted(shown) and len(self.order) > 1:
            rng.shuffle(shown)
        if self.holds:
            rng.shuffle(shown)
        return DrawnCheck(self, values, tuple(shown))


@dataclass(frozen=True)
class Clarification:
    """The interviewer's reply to a clarifying question that contains all words of one of these phrases."""

    words: tuple[str, ...]
    says: str


@dataclass(frozen=True)
class DrawnCheck:
    """A check as asked on one occasion: its inputs, and the option that each letter refers to."""

    check: Check
    values: Mapping[str, float]
    shown: tuple[int, ...]

    @cached_property
    def options(self) -> tuple[str, ...]:
        """Return the options in letter order; empty if there is nothing to choose."""
        texts = self.check.order or (self.check.holds, *(claim.says for claim in self.check.fails))
        return tuple(self._filled(texts[place]) for place in self.shown)

    @property
    def text(self) -> str:
        """Return the question, with one line for each option."""
        lines = [f"{letter}) {option}" for letter, option in zip(LETTERS, self.options, strict=False)]
        return "\n\n".join((self._filled(self.check.ask), *lines))

    @property
    def answer(self) -> str:
        """Return the letter of the true claim, or the letters of all items in order; "" if there are no options."""
        if self.check.order:
            return "".join(LETTERS[self.shown.index(place)] for place in range(len(self.shown)))
        return LETTERS[self.shown.index(0)] if self.shown else ""

    def belief_of(self, letter: str) -> str:
        """Return the misconception that picking this letter reveals; "" if the letter reveals no misconception."""
        place = self.shown[LETTERS.index(letter)]
        return self.check.fails[place - 1].believes if self.check.holds and place else ""

    def _filled(self, text: str) -> str:
        """Replace `{name}` with the input's value; other braces are left unchanged."""
        return _PLACE.sub(
            lambda match: as_written(self.values[match[1]]) if match[1] in self.values else match[0], text
        )


def as_written(value: float) -> str:
    """Format a number the way an interviewer would write it: 128, 16,384, 0.25."""
    return (
        f"{int(value):,}".replace(",", "" if abs(value) < 10_000 else ",") if value == int(value) else f"{value:.12g}"
    )


@dataclass(frozen=True)
class CheckedSource:
    """A verified source: a file, at one commit of a repository, that contains all of the `terms`.

    `says` is the source's text, which is also in `Question.source`. `checked` is "verl 0.7 @ 1dda039, 2026-08": name
    and version, commit, and the month or the day of that commit.
    """

    says: str
    repository: str
    path: str
    terms: tuple[str, ...]
    checked: str

    @property
    def commit(self) -> str:
        """Return the commit, in full or abbreviated."""
        return self.checked.rpartition(" @ ")[2].partition(",")[0]

    @property
    def day(self) -> datetime.date:
        """Return the date of the commit; the first day of the month if only the month is known."""
        day = self.checked.rpartition(", ")[2]
        return datetime.date.fromisoformat(day if day.count("-") == 2 else f"{day}-01")


@dataclass(frozen=True)
class Question:
    """One question in the bank; `area` is the name of its folder, and `id` is its file name.

    `tasks` are ids of coding tasks that practice the question; `after` are ids of questions it builds on. `called` is
    the title shown to people, or "" if the question has no title. `source` holds the text of every source, checked or
    unchecked.
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
    checked_sources: tuple[CheckedSource, ...] = ()
    clarify: tuple[Clarification, ...] = ()

    @property
    def title(self) -> str:
        """Return the title shown to people; defaults to the id with spaces."""
        return self.called or self.id.replace("_", " ")

    @property
    def sources_with_versions(self) -> tuple[str, ...]:
        """Return the texts of all sources; after a checked source, the version that was checked follows in brackets."""
        checked = {source.says: source.checked for source in self.checked_sources}
        return tuple(f"{says} [{checked[says]}]" if says in checked else says for says in self.source)

    @property
    def searched(self) -> str:
        """Return the text that a search is matched against, including the question's hidden points."""
        return " ".join((self.title, self.prompt, *self.topics, *(point.says for point in self.points)))

    @property
    def source_rank(self) -> int:
        """Return this question's best rank in any source list, counted from 1; 0 if it is in no source.

        The lists contain questions asked in real interviews, most frequent first. A question whose only sources are not
        lists ("000 t7") is ranked as if it were in the middle of a list.
        """
        places = [int(place) for seed in self.seeds for place in re.findall(r"#(\d+)$", seed)]
        return min(places, default=MIDDLE_OF_A_LIST if self.seeds else 0)

    def clarification(self, asks: str) -> str:
        """Return the prepared reply to a clarifying question, or "". The entry with the longest match is used.

        If `asks` contains questions, only these are matched, because the words of an answer could match by accident.
        """
        asked = set(_WORD.findall((" ".join(_QUESTION.findall(asks)) or asks).casefold()))
        matches = [
            (len(words), entry.says)
            for entry in self.clarify
            for phrase in entry.words
            if (words := set(_WORD.findall(phrase.casefold()))) <= asked
        ]
        return max(matches, key=lambda match: match[0], default=(0, ""))[1]

    def checks_of(self, rung: int) -> tuple[Check, ...]:
        """Return the checks of a rung. A right answer to one of them passes the rung. `rung` counts from 1."""
        return tuple(check for check in self.checks if check.rung == rung)

    def drawn_check(self, target: str, seed: int) -> DrawnCheck:
        """Return the check as drawn in a session with this seed.

        `target` is the index of the check and the number of the draw, separated by a dot (for example "2.0"). A later
        draw has inputs that differ from the first draw's.

        Raises ValueError or IndexError if there is no such check.
        """
        place, _, number = target.partition(".")
        check = self.checks[int(place)]
        draws = (check.draw(f"{seed}/{self.id}/{target}{'/' * again}") for again in range(_DRAW_TRIES))
        if number in ("", "0") or not check.given:
            return next(draws)
        first = check.draw(f"{seed}/{self.id}/{place}.0")
        return next((drawn for drawn in draws if drawn.values != first.values), first)

    def point(self, point_id: str) -> Point:
        """Return the point with this id. Raises KeyError if there is no such point."""
        return {point.id: point for point in self.points}[point_id]

    def misconception(self, misconception_id: str) -> Misconception:
        """Return the misconception with this id. Raises KeyError if there is no such misconception."""
        return {misconception.id: misconception for misconception in self.misconceptions}[misconception_id]


@dataclass(frozen=True)
class TaskBrief:
    """The part of a coding task that an interview needs; only the grader has the rest.

    `after_pass` is the question asked after a pass, about cost or numerics; "" selects the default for the task's kind.
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
