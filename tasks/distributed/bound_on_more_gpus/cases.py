"""The expected values are those of one process with all microbatches, computed in float64 without any collective."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, PerRank, Relation

STEPS = 7
VOCABULARY = 6
ROWS = (1, 3, 2)  # for each microbatch in turn, so that their token counts always differ


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def microbatch(rng, rows):
    """Return a microbatch in which every row has the same number of unmasked tokens."""
    return {
        "tokens": torch.randint(0, VOCABULARY, (rows, STEPS), generator=rng),
        "mask": (torch.arange(STEPS) < randint(rng, 4, STEPS)).repeat(rows, 1),
    }


def case(name, rng, world, count, max_norm, size=1.0, lr=0.5, draw=microbatch, **more):
    args = {
        "embed": size * torch.randn(VOCABULARY, 4, generator=rng),
        "head": size * torch.randn(VOCABULARY, 4, generator=rng),
        "lr": lr,
        "max_norm": max_norm,
        "microbatches": PerRank(
            tuple([draw(rng, ROWS[(rank + place) % 3]) for place in range(count)] for rank in range(world))
        ),
    }
    return Case(name=name, args=args, world=world, **more)


def expected(case: Case):
    """Return the results of one process with the microbatches of all ranks."""
    args = case.args
    weights = {name: args[name].double().requires_grad_() for name in ("embed", "head")}
    losses = []
    for own in args["microbatches"].values:
        for part in own:
            nll = []
            for row, mask in zip(part["tokens"], part["mask"], strict=True):
                for t in mask[1:].nonzero()[:, 0].tolist():
                    logits = weights["head"] @ weights["embed"][row[t]]
                    nll.append(logits.logsumexp(dim=0) - logits[row[t + 1]])
            losses.append(torch.stack(nll).mean())
    loss = torch.stack(losses).mean()
    loss.backward()
    norm = math.sqrt(sum(float(weight.grad.square().sum()) for weight in weights.values()))
    rate = args["lr"] * min(1.0, args["max_norm"] / (norm + 1e-6))
    after = {name: (weight - rate * weight.grad).detach() for name, weight in weights.items()}
    return {"loss": loss.item(), "norm": norm, "parameters": after}


def rotate_ranks(args):
    values = args["microbatches"].values
    return {**args, "microbatches": PerRank((*values[1:], values[0]))}


ROTATED = Relation(
    name="ranks_rotated",
    says="It does not matter which rank holds which microbatches.",
    change=rotate_ranks,
)


def two_rows():
    """Return one prediction on each rank, from the same token: of 0 on rank 0 and of 1 on rank 1."""
    mask = torch.tensor([[False, True]])
    args = {
        "embed": torch.tensor([[1.0], [3.0]]),
        "head": torch.tensor([[0.0], [math.log(3)]]),
        "lr": 8.0,
        "max_norm": 0.1,
        "microbatches": PerRank(tuple([{"tokens": torch.tensor([[0, answer]]), "mask": mask}] for answer in (0, 1))),
    }
    # The probabilities are 1/4 and 3/4. Rank 0: loss ln 4, d logits (-3/4, 3/4); rank 1: ln(4/3), (1/4, -1/4).
    # Their mean is (-1/4, 1/4): d head the same, as the embedding is 1, and d embed[0] = ln 3 / 4.
    norm = math.sqrt(2 + math.log(3) ** 2) / 4
    rate = 8 * 0.1 / (norm + 1e-6) / 4
    weights = {
        "embed": torch.tensor([[1 - rate * math.log(3)], [3.0]], dtype=torch.float64),
        "head": torch.tensor([[rate], [math.log(3) - rate]], dtype=torch.float64),
    }
    result = {"loss": math.log(16 / 3) / 2, "norm": norm, "parameters": weights}
    return Case(name="two_rows", args=args, world=2, visible=True, expected=result)


def two_ranks(rng):
    return case("two_ranks", rng, 2, 3, 0.1, relations=(ROTATED,))


def four_ranks(rng):
    return case("four_ranks", rng, 4, 2, 0.1)


def unclipped(rng):
    """Return a bound far above the norm of the mean and of every rank's gradient."""
    return case("unclipped", rng, 2, randint(rng, 1, 2), 1e3)


def ragged_microbatch(rng, rows):
    """Return a microbatch of one row with few unmasked tokens, and at least one row with many."""
    return {
        "tokens": torch.randint(0, VOCABULARY, (rows + 1, STEPS), generator=rng),
        "mask": torch.arange(STEPS) < torch.tensor([3] + [STEPS] * rows)[:, None],
    }


def ragged(rng):
    return case("ragged", rng, 2, 2, 0.1, draw=ragged_microbatch)


def tiny_gradients(rng):
    """Return gradients so small that the 1e-6 added to their norm matters."""
    return case("tiny_gradients", rng, 2, randint(rng, 1, 2), 1e-5, size=1e-3, lr=3e4)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_rows()
    yield two_ranks(rng)
    yield unclipped(rng)
    yield four_ranks(rng)
    yield ragged(rng)
    yield tiny_gradients(rng)
