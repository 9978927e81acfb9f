"""Scores and biases are on a grid on which sums are exact in float32 and never equal for two experts."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

GRID = 256
# The chosen experts of each token, first choice first, in three or two microbatches. Experts 0 to 5 are chosen 8, 6, 4,
# 3, 3 and 0 times, with a mean of 4. No microbatch has the same over- and underloaded experts as the whole step.
PAIRS = (
    ((3, 4), (3, 4), (2, 1), (4, 2)),
    ((0, 1), (0, 2), (1, 0), (0, 3)),
    ((0, 1), (1, 0), (0, 1), (0, 2)),
)
TRIPLES = (
    ((0, 1, 2), (1, 0, 2), (0, 2, 1), (2, 0, 1)),
    ((0, 3, 4), (3, 0, 4), (0, 1, 3), (4, 1, 0)),
)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def offsets(experts):
    """Return a different offset for each of up to 8 experts, smaller than a step of the grid."""
    return (2 * torch.arange(experts) + 1) / (16 * GRID)


def case(name, scores, bias, k, u, steps=1, **more):
    args = {"scores": scores, "bias": bias, "k": k, "u": u, "steps": steps}
    return Case(name=name, args=args, **{"grads": ("scores",), "constants": ("bias",), **more})


MERGED = Relation(
    name="one_large_microbatch",
    says="The same tokens in a single microbatch give the same biases.",
    change=lambda args: {**args, "scores": args["scores"].flatten(0, 1)[None]},
    expect=lambda out: {"new_bias": out["new_bias"]},
)
REVERSED = Relation(
    name="microbatches_reversed",
    says="The order of the microbatches does not matter.",
    change=lambda args: {**args, "scores": args["scores"].flip(0)},
    expect=lambda out: {
        "gates": out["gates"].flip(0),
        "experts": out["experts"].flip(0),
        "new_bias": out["new_bias"],
    },
)
LIFTED = Relation(
    name="biases_lifted",
    says="A number added to all biases changes only the biases.",
    change=lambda args: {**args, "bias": args["bias"] + 0.5},
    expect=lambda out: {**out, "new_bias": out["new_bias"] + 0.5},
)
ALL = (MERGED, REVERSED, LIFTED)


def by_hand(name, scores, bias, k, u, expected, **more):
    """Return a case whose scores are given for each microbatch and token."""
    gates, experts, new_bias = expected
    result = {"gates": gates, "experts": experts, "new_bias": new_bias}
    return case(name, torch.tensor(scores), torch.tensor(bias), k, u, expected=result, visible=True, **more)


def literals():
    gates = [[[6 / 11, 5 / 11]]]
    tokens, bias = [[[0.8, 0.6, 0.5, 0.1]]], [-0.35, 0.0, 0.0, 0.1]
    yield by_hand("one_token", tokens, bias, 2, 0.01, (gates, [[[1, 2]]], [-0.34, -0.01, -0.01, 0.11]))
    # Loads of 2, 1 and 0, with a mean of 1.
    tokens = [[[0.9, 0.2, 0.1], [0.8, 0.3, 0.1], [0.4, 0.7, 0.1]]]
    top_one = [[[1.0]] * 3]
    yield by_hand("at_the_mean", tokens, [0.0] * 3, 1, 0.5, (top_one, [[[0], [0], [1]]], [-0.5, 0.0, 0.5]))
    # The second microbatch would choose expert 1 if the biases had already changed by 0.05.
    tokens = [[[0.625, 0.5]], [[0.5625, 0.5]]]
    yield by_hand("two_microbatches", tokens, [0.0] * 2, 1, 0.05, ([[[1.0]]] * 2, [[[0]]] * 2, [-0.05, 0.05]))
    # Expert 0 leads by 1, 3, 5 and 7 sixteenths. Each step takes away two, until both experts have two tokens.
    tokens = [[[0.75, 0.6875], [0.75, 0.5625], [0.75, 0.4375], [0.75, 0.3125]]]
    even = [[[1.0]] * 4], [[[1], [1], [0], [0]]], [-0.125, 0.125]
    yield by_hand("settled", tokens, [0.0] * 2, 1, 0.0625, even, steps=5)


def planned(rng, choices):
    """Return scores that lead to these choices, and biases; the experts are renumbered at random.

    Expert 5 would always be chosen without its bias. It is nearly chosen wherever the last choice is overloaded.
    """
    choices = torch.tensor(choices)
    micros, tokens, k = choices.shape
    sums = torch.randint(80, 140, (micros, tokens, 6), generator=rng)
    levels = torch.tensor([205, 180, 160])[:k] + torch.randint(0, 6, choices.shape, generator=rng)
    sums.scatter_(2, choices, levels)
    sums[..., 5] = torch.where(choices[..., -1] < 2, levels[..., -1] - 2, sums[..., 5])
    others = torch.randint(-26, 27, (3,), generator=rng)
    bias = torch.cat([torch.tensor([51, -26]), others, torch.tensor([-64])]) / GRID
    order = torch.randperm(6, generator=rng)
    return (sums / GRID + offsets(6) - bias)[..., order], bias[order]


def step(rng):
    return case("step", *planned(rng, PAIRS), 2, 0.01, relations=ALL)


def more_choices(rng):
    return case("more_choices", *planned(rng, TRIPLES), 3, 0.012, relations=ALL)


def large_biases(rng):
    """Return biases that are larger than any score, so that every token has the same experts."""
    scores = torch.randint(64, 240, (3, randint(rng, 5, 7), 6), generator=rng) / GRID + offsets(6)
    return case("large_biases", scores, torch.tensor([-2.0, 0.0, 1.5, -1.0, 3.0, -3.0]), 2, 0.01, relations=ALL)


def skewed():
    """Return sixty steps of a router that prefers the first experts; nothing is random, because errors add up."""
    rng = torch.Generator().manual_seed(1)
    scores = torch.randint(8, 130, (3, 8, 4), generator=rng) / GRID + offsets(4)
    scores = scores + torch.tensor([0.25, 0.125, 0.0, 0.0])
    return case("skewed", scores, torch.zeros(4), 2, 1 / GRID, steps=60)


def half_precision():
    """Return scores that are exact in bfloat16 and biases that are not; nothing is random.

    The first token's best experts are 1 and then 4. In bfloat16, the sum of the latter would be larger.
    """
    rng = torch.Generator().manual_seed(2)
    scores = torch.randint(30, 130, (3, 9, 6), generator=rng)
    scores[0, 0, 1], scores[0, 0, 4] = 150, 149
    bias = 1 + torch.randint(-60, -1, (6,), generator=rng) / GRID + offsets(6)
    bias[1], bias[4] = 1 + 0.875 / GRID, 1 + 1.75 / GRID
    return case("half_precision", (scores / GRID).bfloat16(), bias, 2, 0.001, grads=())


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield step(rng)
    yield more_choices(rng)
    yield large_biases(rng)
    yield skewed()
    yield half_precision()
