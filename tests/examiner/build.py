"""A question, an answer and a judge's replies, small enough to read next to a test."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from interviewer.session.question import Misconception, Point, Question, Rung

ANSWER = (
    "The objective takes the smaller of the two terms. When the ratio moved the wrong way, the unclipped term is the "
    "smaller one, so its gradient flows back.\nClipping keeps the ratio inside the interval at all times."
)
SMALLER = "takes the smaller of the two terms"
BACK = "the unclipped term is the smaller one, so its gradient flows back"
INSIDE = "Clipping keeps the ratio inside the interval"

QUESTION = Question(
    id="ppo_clipping",
    area="trust_regions",
    level=3,
    topics=("ppo",),
    seeds=("001 #7",),
    source=("arXiv:1707.06347",),
    prompt="Why does the clipped objective of PPO take a minimum of two terms?",
    points=(
        Point("minimum", "The objective is the minimum of both terms.", ("smaller of",)),
        Point("way_back", "The gradient of a ratio that moved the wrong way survives.", ("flows back",)),
        Point("flat", "Past the interval the gradient is zero.", ("zero gradient",)),
    ),
    rungs=(Rung("Why?", "Because.", ("minimum", "way_back", "flat"), ("Look.", "Look there.")),),
    probes=(),
    misconceptions=(Misconception("bounds", "Clipping keeps the ratio inside.", ("keeps the ratio",), "Does it?"),),
)


def common_start(*texts: str) -> str:
    """Return the longest common prefix of these texts, which a server can cache."""
    letters = takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False))
    return "".join(column[0] for column in letters)


def judged(
    minimum: tuple[str, ...] = ("missing",),
    way_back: tuple[str, ...] = ("missing",),
    flat: tuple[str, ...] = ("missing",),
    misconceptions: tuple[tuple[str, str], ...] = (),
    flags: tuple[str, ...] = (),
    retracts: tuple[tuple[str, str], ...] = (),
    asks: str = "",
) -> dict[str, Any]:
    """Return a judge's reply; each point has its state and quotes. A reply omits missing points."""
    states = {"minimum": minimum, "way_back": way_back, "flat": flat}
    return {
        "points": [
            {"id": name, "quotes": quotes, "why": "because", "state": state}
            for name, (state, *quotes) in states.items()
            if state != "missing"
        ],
        "misconceptions": [{"id": name, "quote": quote} for name, quote in misconceptions],
        "retracts": [{"id": name, "quote": quote} for name, quote in retracts],
        "asks": asks,
        "flags": list(flags),
    }
