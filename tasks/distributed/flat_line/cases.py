"""The expected values are computed here in float64, with a copied reference."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case

STEPS = 8
VOCABULARY = 6


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def batch_of(rng, rows):
    lengths = torch.randint(3, STEPS + 1, (rows, 1), generator=rng)
    sign = 1 - 2 * (torch.arange(rows) % 3 == 1).float()
    return {
        "tokens": torch.randint(0, VOCABULARY, (rows, STEPS), generator=rng),
        "mask": torch.arange(STEPS) < lengths,
        "advantages": sign * (0.5 + torch.rand(rows, generator=rng)),
    }


def case(name, rng, count, kl_weight, **more):
    args = {
        "embed": torch.randn(VOCABULARY, 4, generator=rng),
        "head": torch.randn(VOCABULARY, 4, generator=rng),
        "bias": torch.randn(VOCABULARY, generator=rng),
        "lr": 0.2,
        "kl_weight": kl_weight,
        "batches": [batch_of(rng, randint(rng, 2, 4)) for _ in range(count)],
    }
    return Case(name=name, args=args, **more)


def logprobs_of(weights, row):
    logits = weights["embed"][row[:-1]] @ weights["head"].T + weights["bias"]
    return (logits - logits.logsumexp(dim=-1, keepdim=True))[torch.arange(len(row) - 1), row[1:]]


def expected(case: Case):
    """Return the history and the weights after the last step."""
    first = {name: case.args[name].double() for name in ("embed", "head", "bias")}
    weights = first
    history = []
    for batch in case.args["batches"]:
        weights = {name: weight.clone().requires_grad_() for name, weight in weights.items()}
        losses, divergences = [], []
        for row, mask, advantage in zip(batch["tokens"], batch["mask"], batch["advantages"].double(), strict=True):
            logprobs = logprobs_of(weights, row)[mask[1:]]
            ratio = (logprobs_of(first, row)[mask[1:]] - logprobs).exp()
            divergences.append(ratio - 1 - ratio.log())
            losses.append(case.args["kl_weight"] * divergences[-1] - advantage * logprobs)
        loss, kl = torch.cat(losses).mean(), torch.cat(divergences).mean()
        loss.backward()
        history.append({"loss": loss.item(), "kl": kl.item()})
        weights = {name: (weight - case.args["lr"] * weight.grad).detach() for name, weight in weights.items()}
    return {"history": tuple(history), "weights": weights}


def one_token():
    """Return two steps on one of two tokens; the logits start at zero, and only the bias matters."""
    batch = {
        "tokens": torch.tensor([[0, 0]]),
        "mask": torch.tensor([[False, True]]),
        "advantages": torch.tensor([1.0]),
    }
    args = {
        "embed": torch.zeros(2, 1),
        "head": torch.zeros(2, 1),
        "bias": torch.zeros(2),
        "lr": math.log(3),
        "kl_weight": 1.0,
        "batches": [batch, batch],
    }
    # Step 1: probability 1/2, divergence 0, gradient of the bias -(1/2, -1/2): the bias becomes (ln 3 / 2, -ln 3 / 2).
    # Step 2: probability 3/4, ratio of the reference 2/3, divergence 2/3 - 1 + ln 1.5; loss = divergence + ln(4/3).
    # d loss / d logprob = (1 - 2/3) - 1 = -2/3, times (1/4, -1/4): the bias gains ln 3 / 6.
    kl = math.log(1.5) - 1 / 3
    history = ({"loss": math.log(2), "kl": 0.0}, {"loss": kl + math.log(4 / 3), "kl": kl})
    end = math.log(3) * 2 / 3
    zeros = torch.zeros(2, 1, dtype=torch.float64)
    weights = {"embed": zeros, "head": zeros, "bias": torch.tensor([end, -end], dtype=torch.float64)}
    return Case(name="one_token", args=args, visible=True, expected={"history": history, "weights": weights})


def three_steps(rng):
    return case("three_steps", rng, randint(rng, 3, 4), 0.5)


def no_penalty(rng):
    return case("no_penalty", rng, 4, 0.0)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield one_token()
    yield no_penalty(rng)
    yield three_steps(rng)
