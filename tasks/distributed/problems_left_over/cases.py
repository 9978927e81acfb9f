"""The expected values are those of one process that scores all ranks' problems, computed in float64."""

from collections.abc import Iterator

import torch

from tasks.task import Case, PerRank

CRITERIA = 3


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def case(name, rng, counts, level=2.0, has_zeros=True, dtype=torch.float32):
    """Return a case with the given number of problems on each rank; one problem may have scores of zero."""
    table = level + torch.randn(sum(counts), CRITERIA, generator=rng)
    zeros = randint(rng, 0, sum(counts) - 1)
    table[zeros] = 0.0 if has_zeros else table[zeros]
    problems = torch.randperm(sum(counts), generator=rng).split(counts)
    args = {"table": table.to(dtype), "problems": PerRank(tuple(own.tolist() for own in problems))}
    return Case(name=name, args=args, world=len(counts))


def expected(case: Case):
    """Return the scores in rank order and the statistics for the table."""
    order = [problem for own in case.args["problems"].values for problem in own]
    scores = case.args["table"].double()[order]
    columns = [sorted(column) for column in scores.T.tolist()]
    count = len(order)
    return {
        "scores": scores,
        "mean": torch.tensor([sum(column) / count for column in columns], dtype=torch.float64),
        "median": torch.tensor([column[(count - 1) // 2] for column in columns], dtype=torch.float64),
        "best": torch.tensor([column[-1] for column in columns], dtype=torch.float64),
    }


def two_and_one():
    """Return two problems on rank 0 and one on rank 1; one of them has scores of zero."""
    args = {
        "table": torch.tensor([[0.0, 0.0], [-2.0, 6.0], [-4.0, 3.0]]),
        "problems": PerRank(([0, 1], [2])),
    }
    result = {
        "scores": torch.tensor([[0.0, 0.0], [-2.0, 6.0], [-4.0, 3.0]], dtype=torch.float64),
        "mean": [-2.0, 3.0],
        "median": [-2.0, 3.0],
        "best": [0.0, 6.0],
    }
    return Case(name="two_and_one", args=args, world=2, visible=True, expected=result)


def two_ranks(rng):
    first = randint(rng, 2, 3)
    return case("two_ranks", rng, [first, 7 - first])


def empty_rank(rng):
    return case("empty_rank", rng, [3 + 2 * randint(rng, 0, 1), 0])


def four_ranks(rng):
    return case("four_ranks", rng, [3, 5 + 2 * randint(rng, 0, 1), 1, 2])


def even_count(rng):
    """Return an even number of problems, so that no single score is in the middle."""
    return case("even_count", rng, [2, 2 + 2 * randint(rng, 1, 2)])


def all_negative(rng):
    """Return scores that are all far below 0."""
    return case("all_negative", rng, [2, randint(rng, 2, 3) * 2 - 1], level=-9.0, has_zeros=False)


def default_float64(rng):
    return case("default_float64", rng, [3, 2], dtype=torch.float64)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_and_one()
    yield two_ranks(rng)
    yield empty_rank(rng)
    yield four_ranks(rng)
    yield even_count(rng)
    yield all_negative(rng)
    yield default_float64(rng)
