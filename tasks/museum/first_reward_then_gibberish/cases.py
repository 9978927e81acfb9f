"""Random logits for the policy and the reference, at a distance at which the estimators of the divergence differ."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case

VOCABULARY = 6


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def batch(rng, kl_weight, entropy_weight):
    rows, steps = randint(rng, 3, 5), randint(rng, 6, 9)
    logits = torch.randn(rows, steps, VOCABULARY, generator=rng)
    lengths = torch.randint(3, steps, (rows, 1), generator=rng)
    lengths[0] = 1
    return {
        "logits": logits,
        "ref_logits": logits + torch.randn(rows, steps, VOCABULARY, generator=rng),
        "tokens": torch.randint(0, VOCABULARY, (rows, steps), generator=rng),
        # Of one sign, so that the loss is not close to 0.
        "advantages": 1.0 + torch.rand(rows, steps, generator=rng),
        "mask": torch.arange(steps) < lengths,
        "kl_weight": kl_weight,
        "entropy_weight": entropy_weight,
    }


def case(name, args, **more):
    return Case(name=name, args=args, grads=("logits",), **more)


def one_token():
    """Return the statement's example: a probability of 1/2 under the policy and 3/4 under the reference."""
    args = {
        "logits": torch.zeros(1, 1, 2),
        "ref_logits": torch.tensor([[[math.log(3), 0.0]]]),
        "tokens": torch.tensor([[0]]),
        "advantages": torch.tensor([[1.0]]),
        "mask": torch.tensor([[True]]),
        "kl_weight": 2.0,
        "entropy_weight": 0.5,
    }
    kl, entropy = 0.5 - math.log(1.5), math.log(2)
    return case("one_token", args, visible=True, expected=(math.log(2) + 2 * kl - 0.5 * entropy, kl, entropy))


def both_terms(rng):
    return case("both_terms", batch(rng, 0.5, 0.3))


def strong_penalty(rng):
    return case("strong_penalty", batch(rng, 5.0, 0.01))


def no_penalty(rng):
    return case("no_penalty", batch(rng, 0.0, 0.3))


def no_bonus(rng):
    return case("no_bonus", batch(rng, 0.5, 0.0))


def constants_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = batch(rng, 0.5, 0.3)
    return Case("constants_require_grad", args, grads=("logits",), constants=("ref_logits", "advantages"))


def double_precision(rng):
    args = batch(rng, 0.5, 0.3)
    return case(
        "double_precision",
        {name: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for name, x in args.items()},
    )


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield one_token()
    yield both_terms(rng)
    yield strong_penalty(rng)
    yield no_penalty(rng)
    yield no_bonus(rng)
    yield constants_require_grad(rng)
    yield double_precision(rng)
