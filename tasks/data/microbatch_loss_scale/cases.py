"""Counts are uneven along both dimensions of the table, so that no partial sum equals the total by scaling."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def table(rng, ranks, steps, low=1, high=400):
    """Return counts that grow along both dimensions by more than the random variation."""
    counts = torch.randint(low, high, (ranks, steps), generator=rng)
    return counts + high * torch.arange(ranks)[:, None] + 2 * high * torch.arange(steps)


def case(name, counts, **more):
    args = {"token_counts": counts, "dp_size": counts.shape[0], "n_accum": counts.shape[1]}
    return Case(name=name, args=args, **more)


DOUBLED = Relation(
    name="counts_doubled",
    says="With twice the tokens everywhere the factors stay.",
    change=lambda args: {**args, "token_counts": 2 * args["token_counts"]},
)
RANKS_REVERSED = Relation(
    name="ranks_reversed",
    says="The numbering of the ranks does not matter.",
    change=lambda args: {**args, "token_counts": args["token_counts"].flip(0)},
    expect=lambda out: {"scale": out["scale"].flip(0)},
)


def dealt_anew(args):
    """Distribute all micro-batches across twice as many ranks, each of which accumulates half as many."""
    ranks, steps = args["dp_size"] * 2, args["n_accum"] // 2
    return {"token_counts": args["token_counts"].reshape(ranks, steps), "dp_size": ranks, "n_accum": steps}


DEALT_ANEW = Relation(
    name="dealt_anew",
    says="The same micro-batches on twice as many ranks, half as many each, keep their factors.",
    change=dealt_anew,
    expect=lambda out: {"scale": out["scale"].reshape(2 * out["scale"].shape[0], -1)},
)


def two_ranks():
    return case("two_ranks", torch.tensor([[10], [90]]), visible=True, expected=[[0.2], [1.8]])


def one_rank():
    return case("one_rank", torch.tensor([[10, 90]]), visible=True, expected=[[0.2, 1.8]])


def with_empty():
    """Return 2 ranks with 3 micro-batches each and 12 tokens: a factor is half the count."""
    counts = torch.tensor([[3, 0, 1], [6, 2, 0]])
    return case("with_empty", counts, visible=True, expected=[[1.5, 0.0, 0.5], [3.0, 1.0, 0.0]])


def single_token():
    """Return one token in four micro-batches: its factor must compensate for the three empty ones."""
    return case("single_token", torch.tensor([[0, 0], [0, 1]]), expected=[[0.0, 0.0], [0.0, 4.0]])


def uneven(rng):
    counts = table(rng, randint(rng, 2, 4), 2 * randint(rng, 2, 3))
    return case("uneven", counts, relations=(DOUBLED, RANKS_REVERSED, DEALT_ANEW))


def transposed(rng):
    """Return a table that is a view of transposed storage."""
    counts = table(rng, randint(rng, 5, 6), randint(rng, 3, 4)).T.contiguous().T
    return case("transposed", counts, relations=(RANKS_REVERSED,))


def idle_rank(rng):
    counts = table(rng, randint(rng, 3, 4), randint(rng, 2, 4))
    counts[1] = 0
    counts[0, 0] = 0
    return case("idle_rank", counts, relations=(DOUBLED,))


def no_tokens(rng):
    counts = torch.zeros(randint(rng, 2, 4), randint(rng, 2, 4), dtype=torch.int64)
    return case("no_tokens", counts, expected=counts.double())


def billions():
    """Return counts that add up to 2**39, most of them above 2**31."""
    big = 2**36
    counts = torch.tensor([[big, 2 * big], [4 * big, 0], [0, big]])
    return case("billions", counts, visible=True, expected=[[0.75, 1.5], [3.0, 0.0], [0.0, 0.75]])


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_ranks()
    yield one_rank()
    yield with_empty()
    yield single_token()
    yield uneven(rng)
    yield transposed(rng)
    yield idle_rank(rng)
    yield no_tokens(rng)
    yield billions()
