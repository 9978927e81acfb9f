"""Every random batch has responses before, in and beyond the penalty interval, and at both of its ends."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def batch(rng, L_max, L_cache):
    """Return lengths in random order, three of them far beyond the limit, as if the engine had stopped late."""
    start = L_max - L_cache
    inside = start + torch.randint(L_cache // 8, L_cache * 7 // 8, (6,), generator=rng)
    before = torch.randint(0, start + 1, (4,), generator=rng)
    behind = L_max + torch.randint(L_cache // 2, 2 * L_cache, (3,), generator=rng)
    ends = torch.tensor([start, start + 1, L_max - 1, L_max, L_max + 1])
    lengths = torch.cat([inside, before, behind, ends])
    order = torch.randperm(lengths.numel(), generator=rng)
    return {"len": lengths[order], "L_max": L_max, "L_cache": L_cache}


def move(args):
    return {**args, "len": args["len"] + 96, "L_max": args["L_max"] + 96}


def triple(args):
    return {name: 3 * value for name, value in args.items()}


MOVED = Relation(
    name="limit_moved",
    says="With all lengths and the limit larger by the same number nothing changes.",
    change=move,
)
TRIPLED = Relation(
    name="lengths_tripled",
    says="With all lengths, the limit and the stretch three times as long nothing changes.",
    change=triple,
)
REVERSED = Relation(
    name="answers_reversed",
    says="Answers do not know of each other.",
    change=lambda args: {**args, "len": args["len"].flip(0)},
    expect=lambda out: {"reward": out["reward"].flip(0)},
)


def literal(name, lengths, L_max, L_cache, expected):
    args = {"len": torch.tensor(lengths), "L_max": L_max, "L_cache": L_cache}
    return Case(name=name, args=args, expected=expected, visible=True)


def by_hand():
    # The penalty interval is from 16384 to 20480; 18432 is its midpoint.
    lengths = [16000, 16384, 18432, 20480, 20481]
    yield literal("around_the_stretch", lengths, 20480, 4096, [0.0, 0.0, -0.5, -1.0, -1.0])
    yield literal("one_token", [9, 10, 11, 0], 10, 1, [0.0, -1.0, -1.0, 0.0])
    yield literal("from_the_start", [0, 2, 6, 8, 30], 8, 8, [0.0, -0.25, -0.75, -1.0, -1.0])


def many_answers(rng):
    L_cache = randint(rng, 600, 3000)
    args = batch(rng, 3 * L_cache + randint(rng, 1, 900), L_cache)
    return Case(name="many_answers", args=args, relations=(MOVED, TRIPLED))


def short_stretch(rng):
    """Return a penalty interval of about twenty tokens, so that one token matters; `len` is a strided view."""
    args = batch(rng, randint(rng, 100, 200), randint(rng, 16, 24))
    args["len"] = args["len"].repeat_interleave(2).reshape(-1, 2).T[0]
    return Case(name="short_stretch", args=args, relations=(MOVED, REVERSED))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield many_answers(rng)
    yield short_stretch(rng)
