"""Expected values are quotients of integer binomial coefficients, which Python computes exactly."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def expected(case):
    """Return the estimate, computed with exact integer arithmetic."""
    n, c, k = (case.args[name] for name in "nck")
    return float(1 - math.comb(n - c, k) / math.comb(n, k))


def exchange(args):
    """Return the arguments with the numbers of drawn and correct samples swapped."""
    return {"n": args["n"], "c": args["k"], "k": args["c"]}


EXCHANGED = Relation(
    name="roles_exchanged",
    says="Whether k drawn samples meet c right ones or c drawn ones meet k right ones is the same event.",
    change=exchange,
)


def literal(name, n, c, k, result):
    return Case(name=name, args={"n": n, "c": c, "k": k}, expected=result, visible=True)


def by_hand():
    # C(7, k) / C(10, k) is 7/10, 21/45 and 21/252.
    yield literal("one_draw", 10, 3, 1, 0.3)
    yield literal("two_draws", 10, 3, 2, 1 - 21 / 45)
    yield literal("five_draws", 10, 3, 5, 1 - 21 / 252)
    yield literal("more_than_wrong", 10, 3, 8, 1.0)
    yield literal("as_many_as_wrong", 10, 3, 7, 1 - 1 / 120)
    yield literal("none_right", 10, 0, 5, 0.0)
    yield literal("all_right", 10, 10, 1, 1.0)
    yield literal("nearly_all_right", 5000, 4990, 4000, 1.0)


def moderate(rng):
    n = randint(rng, 20, 60)
    c = randint(rng, 3, 6)
    return Case(name="moderate", args={"n": n, "c": c, "k": randint(rng, 3, 6)}, relations=(EXCHANGED,))


def thousands(rng):
    """Return numbers whose binomial coefficients are far beyond the range of float64."""
    n = randint(rng, 2500, 5000)
    args = {"n": n, "c": randint(rng, 3, 8), "k": n // 5 + randint(rng, 0, 200)}
    return Case(name="thousands", args=args, relations=(EXCHANGED,))


def few_of_many(rng):
    args = {"n": randint(rng, 1000, 2000), "c": randint(rng, 20, 40), "k": randint(rng, 8, 16)}
    return Case(name="few_of_many", args=args, relations=(EXCHANGED,))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield moderate(rng)
    yield thousands(rng)
    yield few_of_many(rng)
