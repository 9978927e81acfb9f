"""The expected values are those of one process with all ranks' batches, computed in float64 without any collective."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, PerRank, Relation

STEPS = 9
VOCABULARY = 7


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def answers(rng, lengths, first):
    """Return one rank's batch; `lengths` has each row's number of unmasked tokens, not counting the first column."""
    mask = torch.arange(STEPS)[None] - 1 < torch.tensor(lengths)[:, None]
    mask[:, 0] = first
    sign = 1 - 2 * (torch.arange(len(lengths)) % 3 == 1).float()
    return {
        "tokens": torch.randint(0, VOCABULARY, mask.shape, generator=rng),
        "mask": mask,
        "advantages": sign * (0.5 + torch.rand(len(lengths), generator=rng)),
    }


def case(name, rng, ranks, first=False, **more):
    batches = [answers(rng, lengths, first) for lengths in ranks]
    args = {
        "embed": torch.randn(VOCABULARY, 4, generator=rng),
        "head": torch.randn(VOCABULARY, 4, generator=rng),
        "lr": 0.5,
        **{key: PerRank(tuple(batch[key] for batch in batches)) for key in batches[0]},
    }
    return Case(name=name, args=args, world=len(ranks), **more)


def expected(case: Case):
    """Return the results of one process with the rows of all ranks."""
    embed, head = (case.args[name].double().requires_grad_() for name in ("embed", "head"))
    tokens, mask, advantages = (torch.cat(case.args[name].values) for name in ("tokens", "mask", "advantages"))
    losses = []
    for row, row_mask, advantage in zip(tokens, mask, advantages.double(), strict=True):
        for t in row_mask[1:].nonzero()[:, 0].tolist():
            logits = head @ embed[row[t]]
            losses.append(advantage * (logits.logsumexp(dim=0) - logits[row[t + 1]]))
    loss = torch.stack(losses).mean()
    loss.backward()
    parameters = {"embed": embed, "head": head}
    after = {name: (x - case.args["lr"] * x.grad).detach() for name, x in parameters.items()}
    return {"loss": loss.item(), "parameters": after, "lr": case.args["lr"]}


def rotate_ranks(args):
    per_rank = {name: x.values for name, x in args.items() if isinstance(x, PerRank)}
    return {**args, **{name: PerRank((*values[1:], values[0])) for name, values in per_rank.items()}}


ROTATED = Relation(
    name="ranks_rotated",
    says="It does not matter which rank holds which rows.",
    change=rotate_ranks,
)


def three_tokens():
    """Return two tokens on rank 0 and one on rank 1, with a head of zeros: each token has probability 1/2."""
    args = {
        "embed": torch.tensor([[1.0], [2.0]]),
        "head": torch.zeros(2, 1),
        "lr": 0.6,
        "tokens": PerRank((torch.tensor([[0, 1, 0]]), torch.tensor([[1, 1, 0]]))),
        "mask": PerRank((torch.tensor([[False, True, True]]), torch.tensor([[False, True, False]]))),
        "advantages": PerRank((torch.tensor([1.0]), torch.tensor([-1.0]))),
    }
    # d/d head[0], token by token: 0.5 * 1, -0.5 * 2, -0.5 * 2. Their mean is -0.5; for head[1], it is 0.5.
    head = torch.tensor([[0.3], [-0.3]], dtype=torch.float64)
    embed = torch.tensor([[1.0], [2.0]], dtype=torch.float64)
    result = {"loss": math.log(2) / 3, "parameters": {"embed": embed, "head": head}, "lr": 0.6}
    return Case(name="three_tokens", args=args, world=2, visible=True, expected=result)


def two_ranks(rng):
    ranks = [[randint(rng, 6, 8), 8, 7], [randint(rng, 1, 2), 1]]
    return case("two_ranks", rng, ranks, relations=(ROTATED,))


def four_ranks(rng):
    ranks = [[8, 7, randint(rng, 5, 8)], [2, 1], [randint(rng, 3, 4), 2, 5], [1]]
    return case("four_ranks", rng, ranks)


def equal_counts(rng):
    length = randint(rng, 4, 8)
    return case("equal_counts", rng, [[length, 3], [3, length]])


def rank_without_tokens(rng):
    return case("rank_without_tokens", rng, [[0, 0], [randint(rng, 4, 8), 3]])


def first_column_unmasked(rng):
    return case("first_column_unmasked", rng, [[randint(rng, 4, 8), 3], [2]], first=True)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield three_tokens()
    yield two_ranks(rng)
    yield equal_counts(rng)
    yield rank_without_tokens(rng)
    yield four_ranks(rng)
    yield first_column_unmasked(rng)
