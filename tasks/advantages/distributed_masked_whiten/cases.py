"""Every rank's values have their own level, so that statistics of some of the ranks are far from those of the batch."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, PerRank, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def mesh_of(dp=1, cp=1, tp=1):
    return {"dp": dp, "cp": cp, "tp": tp}


def expected(case: Case):
    """Return each rank's part of the results of one process, which gets every token once."""
    args = case.args
    values, masks = (args[name].values for name in ("x", "mask"))
    # The TP coordinate changes fastest, so each group of neighbors holds copies.
    kept = [x[mask].double() for x, mask in zip(values, masks, strict=True)][:: args["mesh"]["tp"]]
    batch = torch.cat(kept)
    mean = batch.mean()
    variance = (batch - mean).square().sum() / (len(batch) - int(args.get("unbiased", True)))
    scale = 1 / math.sqrt(variance + args.get("eps", 1e-8))
    whitened = [torch.where(mask, (x.double() - mean) * scale, 0.0) for x, mask in zip(values, masks, strict=True)]
    return PerRank(tuple({"whitened": x} for x in whitened))


def poison(number):
    def change(args):
        parts = zip(args["x"].values, args["mask"].values, strict=True)
        return {**args, "x": PerRank(tuple(x.masked_fill(~mask, number) for x, mask in parts))}

    return change


POISONED = tuple(
    Relation(f"padding_of_{name}", "What stands in masked places changes nothing.", poison(number))
    for name, number in (("nan", math.nan), ("large", 1e9))
)
SHIFTED = Relation(
    name="values_shifted",
    says="A constant added to the values of all ranks changes nothing.",
    change=lambda args: {**args, "x": PerRank(tuple(x + 0.5 for x in args["x"].values))},
)


def per_rank(name, mesh, x, mask, **more):
    """Return a case from one tensor of values and one mask for each rank."""
    args = {"x": PerRank(tuple(x)), "mask": PerRank(tuple(mask)), "mesh": mesh}
    relations = more.pop("relations", ())
    shown = {key: more.pop(key) for key in ("expected", "visible") if key in more}
    return Case(name=name, args={**args, **more}, world=len(x), relations=relations, **shown)


def literal(name, mesh, x, whitened, mask, **more):
    """Return a case that is worked out by hand: for each rank, one row of values, results and mask."""
    rows = [torch.tensor([row]) for row in x]
    masks = [torch.tensor([row], dtype=torch.bool) for row in mask]
    results = PerRank(tuple({"whitened": torch.tensor([row], dtype=torch.float64)} for row in whitened))
    return per_rank(name, mesh, rows, masks, expected=results, visible=True, **more)


def by_hand():
    # Mean 0.75; the squared deviations sum to 0.75, so the variance is 0.25, or 0.1875 with a divisor of 4.
    scale = 1 / math.sqrt(0.1875)
    dp, cp = mesh_of(dp=2), mesh_of(cp=2)
    lone, three = [0.0, 9.0, 9.0], [1.0, 1.0, 1.0]
    mask = [[1, 0, 0], [1, 1, 1]]
    yield literal("four_values", dp, [lone, three], [[-1.5, 0.0, 0.0], [0.5, 0.5, 0.5]], mask)
    low, high = -0.75 * scale, 0.25 * scale
    yield literal("population", cp, [lone, three], [[low, 0.0, 0.0], [high, high, high]], mask, unbiased=False)
    # The variance is twice the square of either value, 2e-8, and eps is 1e-8.
    third = 1 / math.sqrt(3)
    yield literal("tiny_values", dp, [[1e-4], [-1e-4]], [[third], [-third]], [[1], [1]])
    yield literal("one_value", dp, [[7.0, 7.0], [2.5, 7.0]], [[0.0, 0.0], [0.0, 0.0]], [[0, 0], [1, 0]])
    yield literal("nothing", cp, [[7.0, 2.5], [7.0, 3.5]], [[0.0, 0.0], [0.0, 0.0]], [[0, 0], [0, 0]])


def equal_values():
    """Return equal values on both ranks, whose float32 mean is off in whatever order they are added."""
    lengths = (4, 3)
    x = [[399.9] * length + [-3.0] for length in lengths]
    zeros = [[0.0] * (length + 1) for length in lengths]
    return literal("equal_values", mesh_of(dp=2), x, zeros, [[1] * length + [0] for length in lengths])


def large_mean():
    """Return integers around 20005, so that every sum over them is exact in float32."""
    x = [[20001.0, 20003.0, 20005.0, 20007.0], [20011.0, 20001.0, 20003.0, 20009.0]]
    # The squared deviations from 20005 sum to 96, and eps makes up for the fraction: 96 / 7 + 16 / 7 = 16.
    deviations = [[-4.0, -2.0, 0.0, 2.0], [6.0, -4.0, -2.0, 4.0]]
    whitened = [[deviation / 4 for deviation in row] for row in deviations]
    return literal("large_mean", mesh_of(dp=2), x, whitened, [[1] * 4, [1] * 4], eps=16 / 7)


def shard(rng, lengths, level):
    """Return the values around `level` and the mask of one rank; the rows have a masked first column and a gap."""
    steps = max(lengths) + 3
    position = torch.arange(steps)
    mask = (position >= 1) & (position <= torch.tensor(lengths)[:, None])
    x = level + torch.rand(len(lengths), steps, generator=rng)
    return torch.where(mask, x, x + 3), mask


def drawn(name, rng, mesh, ranks, **more):
    """Return a case from the lengths of the rows of each rank, without copies."""
    parts = [shard(rng, lengths, 1 + 1.5 * place) for place, lengths in enumerate(ranks)]
    copied = [part for part in parts for _ in range(mesh["tp"])]
    return per_rank(name, mesh, *zip(*copied, strict=True), **more)


def two_ranks(rng):
    ranks = [[randint(rng, 5, 7), 4, 2], [randint(rng, 1, 2), 2]]
    return drawn("two_ranks", rng, mesh_of(dp=2), ranks, relations=(*POISONED, SHIFTED), eps=0.05)


def two_chunks(rng):
    """Return two rows, of which the first chunk has few unmasked tokens."""
    ranks = [[1, randint(rng, 1, 2)], [randint(rng, 4, 6), 3]]
    return drawn("two_chunks", rng, mesh_of(cp=2), ranks, relations=POISONED, eps=0.05, unbiased=False)


def four_ranks(rng):
    """Return two rows on each data-parallel rank, in two chunks."""
    ranks = [[2, randint(rng, 1, 3)], [randint(rng, 3, 6), 4], [1, randint(rng, 2, 3)], [5, randint(rng, 4, 7)]]
    return drawn("four_ranks", rng, mesh_of(dp=2, cp=2), ranks, eps=0.05)


def copies(rng):
    """Return few tokens, so that the divisor shows whether each of them is counted once or twice."""
    return drawn("copies", rng, mesh_of(dp=2, tp=2), [[2, 1], [randint(rng, 1, 2)]], eps=0.05)


def empty_rank(rng):
    return drawn("empty_rank", rng, mesh_of(dp=2), [[0, 0], [randint(rng, 3, 6), 2, 4]], eps=0.05)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield equal_values()
    yield large_mean()
    yield two_ranks(rng)
    yield two_chunks(rng)
    yield four_ranks(rng)
    yield copies(rng)
    yield empty_rank(rng)
