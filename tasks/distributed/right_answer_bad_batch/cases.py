"""The expected values are those of one process with all ranks' rollouts, computed in float64."""

from collections.abc import Iterator

import torch

from tasks.task import Case, PerRank, Relation

STEPS = 7


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def rollouts(rng, lengths, level):
    """Return one rank's rollouts; `level` shifts this rank's rewards relative to other ranks."""
    shape = (len(lengths), STEPS)
    return {
        "rewards": level + torch.randn(shape, generator=rng),
        "values": torch.randn(shape, generator=rng),
        "mask": torch.arange(STEPS) < torch.tensor(lengths)[:, None],
    }


def case(name, rng, ranks, **more):
    levels = [2.0 * (rank % 2) - 1.0 + 0.5 * rank for rank in range(len(ranks))]
    batches = [rollouts(rng, lengths, level) for lengths, level in zip(ranks, levels, strict=True)]
    args = {key: PerRank(tuple(batch[key] for batch in batches)) for key in batches[0]}
    args |= {"gamma": 0.9 + 0.01 * randint(rng, 0, 9), "lam": 0.8 + 0.01 * randint(rng, 0, 9)}
    return Case(name=name, args=args, world=len(ranks), **more)


def expected(case: Case):
    """Return each rank's part of the results of one process."""
    args = case.args
    advantages, targets = [], []
    for rewards, values, mask in zip(*(args[name].values for name in ("rewards", "values", "mask")), strict=True):
        table, target = torch.zeros(2, *mask.shape, dtype=torch.float64)
        for row, length in enumerate(mask.sum(dim=1).tolist()):
            reward, value = rewards[row].tolist(), [*values[row, :length].tolist(), 0.0]
            after = 0.0
            for t in reversed(range(length)):
                after = reward[t] + args["gamma"] * value[t + 1] - value[t] + args["gamma"] * args["lam"] * after
                table[row, t] = after
                target[row, t] = after + value[t]
        advantages.append(table)
        targets.append(target)
    masks = args["mask"].values
    chosen = torch.cat([table[mask] for table, mask in zip(advantages, masks, strict=True)])
    mean, deviation = chosen.mean(), chosen.std(unbiased=False)
    whitened = [
        torch.where(mask, (table - mean) / (deviation + 1e-8), 0.0)
        for table, mask in zip(advantages, masks, strict=True)
    ]
    return PerRank(tuple({"advantages": a, "targets": b} for a, b in zip(whitened, targets, strict=True)))


def poison(number):
    def change(args):
        masks = args["mask"].values
        dirty = {
            name: PerRank(tuple(x.masked_fill(~m, number) for x, m in zip(args[name].values, masks, strict=True)))
            for name in ("rewards", "values")
        }
        return {**args, **dirty}

    return change


POISONED = tuple(
    Relation(f"padding_of_{name}", "What stands in masked places does not matter.", poison(number))
    for name, number in (("nan", float("nan")), ("large", 1e9))
)


def four_answers():
    """Return answers of one token each, so that an advantage is the reward minus the value."""
    ones = torch.ones(2, 1, dtype=torch.bool)
    args = {
        "rewards": PerRank((torch.tensor([[1.0], [1.0]]), torch.tensor([[1.0], [5.0]]))),
        "values": PerRank((torch.tensor([[1.0], [1.0]]), torch.tensor([[1.0], [1.0]]))),
        "mask": PerRank((ones, ones)),
        "gamma": 1.0,
        "lam": 1.0,
    }
    # The advantages 0, 0, 0, 4 have mean 1 and deviation sqrt(3).
    low, high = -(3**-0.5), 3**0.5
    double = torch.float64
    first = {
        "advantages": torch.tensor([[low], [low]], dtype=double),
        "targets": torch.tensor([[1.0], [1.0]], dtype=double),
    }
    second = {
        "advantages": torch.tensor([[low], [high]], dtype=double),
        "targets": torch.tensor([[1.0], [5.0]], dtype=double),
    }
    return Case(name="four_answers", args=args, world=2, visible=True, expected=PerRank((first, second)))


def single_tokens(name, rewards, values):
    """Return a case with answers of one token each, half of them per rank; advantages are reward minus value."""
    per_rank = {"rewards": torch.tensor(rewards).chunk(2), "values": torch.tensor(values).chunk(2)}
    args = {key: PerRank(tuple(part[:, None].clone() for part in parts)) for key, parts in per_rank.items()}
    args["mask"] = PerRank(tuple(torch.ones_like(part, dtype=torch.bool) for part in args["rewards"].values))
    return Case(name=name, args=args | {"gamma": 1.0, "lam": 1.0}, world=2)


def large_mean():
    """Return integer advantages around 20000, so that every sum over them is exact."""
    rewards = [20001.0, 20003.0, 20005.0, 20007.0, 20011.0, 20001.0, 20003.0, 20009.0]
    return single_tokens("large_mean", rewards, [0.0] * 8)


def tiny_deviation():
    """Return advantages whose deviation is about as small as the 1e-8 that is added to it; all are powers of two."""
    small = 2.0**-24
    return single_tokens("tiny_deviation", [small, -small, -small, small], [0.0] * 4)


def no_spread():
    """Return equal advantages, whose deviation is 0; the targets differ."""
    values = [0.25, 0.5, 0.75, 1.0]
    return single_tokens("no_spread", [value + 0.5 for value in values], values)


def two_ranks(rng):
    ranks = [[7, randint(rng, 5, 7), 6], [randint(rng, 1, 2), 2]]
    return case("two_ranks", rng, ranks, relations=POISONED)


def empty_rank(rng):
    return case("empty_rank", rng, [[0, 0], [randint(rng, 3, 6), 2, 4]])


def four_ranks(rng):
    ranks = [[7, randint(rng, 4, 6)], [1], [3, randint(rng, 2, 5), 5], [2, 1]]
    return case("four_ranks", rng, ranks)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield four_answers()
    yield two_ranks(rng)
    yield empty_rank(rng)
    yield four_ranks(rng)
    yield large_mean()
    yield tiny_deviation()
    yield no_spread()
