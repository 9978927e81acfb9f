"""Every uniform number is at least 3% away from its proposal's acceptance probability, so rounding decides nothing."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def proposals(rng, count, log_m, n):
    """Return proposals with acceptance probabilities from 0.05 to 0.9, about a third of them accepted.

    The first proposal is rejected, but would be accepted with a larger acceptance probability. The third and the last
    proposal exceed the bound; the last one is used only if fewer than `n` proposals are accepted.
    """
    log_acceptance = rand(rng, count, low=math.log(0.05), high=math.log(0.9))
    is_accepted = torch.rand(count, generator=rng) < 1 / 3
    is_accepted[:4] = torch.tensor([False, True, False, False])
    log_acceptance[0], log_acceptance[2], log_acceptance[-1] = math.log(0.5), 0.4, 0.7
    below = log_acceptance.exp() * rand(rng, count, low=0.1, high=0.85)
    above = log_acceptance.exp() + (1 - log_acceptance.exp()) * rand(rng, count, low=0.3, high=0.95)
    uniforms = torch.where(is_accepted, below, above)
    uniforms[0], uniforms[2], uniforms[-1] = 0.8, 0.95, 0.5
    log_q = rand(rng, count, low=-5.0, high=-1.0)
    return {
        "log_p": log_acceptance + log_q + log_m,
        "log_q": log_q,
        "uniforms": uniforms,
        "log_m": log_m,
        "n": n,
    }


def rescaled(args):
    """Multiply the unnormalized density and M by the same factor."""
    return {**args, "log_p": args["log_p"] + 2, "log_m": args["log_m"] + 2}


def shortened(args):
    """Drop the last proposal, which is not used."""
    tensors = {name: args[name][:-1].clone() for name in ("log_p", "log_q", "uniforms")}
    return {**args, **tensors}


RESCALED = Relation(
    name="target_rescaled",
    says="A constant factor of the target density and of M changes nothing.",
    change=rescaled,
)
SHORTENED = Relation(
    name="unused_proposal_dropped",
    says="A proposal that is not used changes nothing.",
    change=shortened,
)
ONE_FEWER = Relation(
    name="one_sample_fewer",
    says="With n - 1 instead of n, the last accepted proposal is missing.",
    change=lambda args: {**args, "n": args["n"] - 1},
    expect=lambda out: {"accepted": out["accepted"][:-1]},
)


def literal(name, acceptance, uniforms, n, expected):
    """Return a case with the acceptance probabilities p / (M q), for log q = -2 and log M = 0.5."""
    log_q = torch.full((len(acceptance),), -2.0)
    log_p = torch.tensor(acceptance).log() - 1.5
    args = {"log_p": log_p, "log_q": log_q, "uniforms": torch.tensor(uniforms), "log_m": 0.5, "n": n}
    accepted, used, violations = expected
    expected = torch.tensor(accepted, dtype=torch.int64), used, violations
    return Case(name, args, visible=True, expected=expected)


def three_outcomes():
    """Return the statement's example."""
    args = {
        "log_p": torch.tensor([0.5, 0.3, 0.2, 0.3, 0.5, 0.2]).log(),
        "log_q": torch.full((6,), -math.log(3.0)),
        "uniforms": torch.tensor([0.9, 0.4, 0.5, 0.2, 0.6, 0.1]),
        "log_m": math.log(2.0),
        "n": 2,
    }
    # The acceptance probabilities are 0.75, 0.45, 0.3, 0.45, 0.75 and 0.3.
    return Case("three_outcomes", args, visible=True, expected=(torch.tensor([1, 3]), 4, 0))


def by_hand():
    yield three_outcomes()
    acceptance, uniforms = [0.75, 0.45, 0.3, 0.45, 0.75, 0.3], [0.9, 0.4, 0.5, 0.2, 0.6, 0.1]
    yield literal("too_few", [*acceptance, 0.4], [*uniforms, 0.7], 9, ([1, 3, 4, 5], 7, 0))
    yield literal("as_many_as_wanted", [*acceptance[:5], 0.4], [*uniforms[:5], 0.7], 3, ([1, 3, 4], 5, 0))
    yield literal("none_accepted", [0.2, 0.5, 0.1], [0.4, 0.7, 0.9], 1, ([], 3, 0))
    # log 1 is exact, so the target density at index 1 is exactly M times the proposal density.
    yield literal("at_the_bound", [0.3, 1.0, 0.5], [0.6, 0.95, 0.2], 2, ([1, 2], 3, 0))
    yield literal("above_the_bound", [0.3, 4.0, 0.5, 1.5, 3.0], [0.6, 0.9, 0.8, 0.7, 0.1], 2, ([1, 3], 4, 2))
    yield literal("outside_the_support", [0.0, 0.3, 0.0, 0.6], [0.0, 0.1, 0.5, 0.2], 5, ([1, 3], 4, 0))
    yield literal("uniform_of_zero", [1e-9, 0.3, 0.6], [0.0, 0.8, 0.2], 2, ([0, 2], 3, 0))


def many_proposals(rng):
    args = proposals(rng, randint(rng, 70, 90), 1.25, randint(rng, 7, 9))
    return Case("many_proposals", args, relations=(RESCALED, SHORTENED, ONE_FEWER))


def long_sequences(rng):
    """Return densities of sequences, which underflow, although their ratios do not."""
    args = proposals(rng, randint(rng, 70, 90), 2.0, randint(rng, 7, 9))
    lengths = torch.randint(2000, 4900, args["log_q"].shape, generator=rng)
    args["log_p"], args["log_q"] = args["log_p"] - lengths, args["log_q"] - lengths
    return Case("long_sequences", args, relations=(SHORTENED, ONE_FEWER))


def large_constant(rng):
    """Return an unnormalized density that is far greater than 1, with a matching M."""
    args = proposals(rng, randint(rng, 70, 90), 200.0, randint(rng, 7, 9))
    return Case("large_constant", args, relations=(SHORTENED,))


def all_used(rng):
    """Return fewer accepted proposals than wanted."""
    return Case("all_used", proposals(rng, randint(rng, 40, 50), -3.0, 60), relations=(RESCALED,))


def strided(rng):
    """Return every second element of longer tensors."""
    args = proposals(rng, randint(rng, 70, 90), 1.25, randint(rng, 7, 9))
    views = {name: args[name].repeat_interleave(2)[::2] for name in ("log_p", "log_q", "uniforms")}
    return Case("strided", {**args, **views})


def double_precision(rng):
    args = proposals(rng, randint(rng, 70, 90), 1.25, randint(rng, 7, 9))
    tensors = {name: args[name].double() for name in ("log_p", "log_q", "uniforms")}
    return Case("double_precision", {**args, **tensors})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield many_proposals(rng)
    yield long_sequences(rng)
    yield large_constant(rng)
    yield all_used(rng)
    yield strided(rng)
    yield double_precision(rng)
