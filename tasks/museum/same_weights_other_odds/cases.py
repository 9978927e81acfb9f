"""Logits with a spread of 2, so that the temperature changes every probability; ratios are drawn away from the cap."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case

VOCABULARY = 7


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def batch(rng, temperature, cap, drift):
    """Return a batch; `drift` is the spread of the difference between the trainer's and the engine's logits."""
    rows, steps = randint(rng, 3, 5), randint(rng, 6, 9)
    engine_logits = 2 * torch.randn(rows, steps, VOCABULARY, generator=rng)
    lengths = torch.randint(2, steps, (rows, 1), generator=rng)
    lengths[0] = 1
    return {
        "logits": engine_logits + drift * torch.randn(rows, steps, VOCABULARY, generator=rng),
        "engine_logits": engine_logits,
        "tokens": torch.randint(0, VOCABULARY, (rows, steps), generator=rng),
        # Of one sign, so that the loss is not close to 0.
        "advantages": 0.5 + torch.rand(rows, steps, generator=rng),
        "mask": torch.arange(steps) < lengths,
        "temperature": temperature,
        "cap": cap,
    }


def capped_half(rng, temperature):
    """Return a batch whose cap lies between two of its ratios, so that about half of the weights are capped."""
    args = batch(rng, temperature, 1.0, drift=0.5)
    chosen = args["tokens"][..., None]
    trainer, engine = (
        (args[name].double() / temperature).log_softmax(dim=-1).gather(-1, chosen)
        for name in ("logits", "engine_logits")
    )
    ratios = (trainer - engine).exp().squeeze(-1)[args["mask"]].sort().values
    middle = len(ratios) // 2
    return {**args, "cap": float(ratios[middle - 1 : middle + 1].mean())}


def case(name, args, **more):
    return Case(name=name, args=args, grads=("logits",), **more)


def one_token():
    """Return the statement's example."""
    logits = torch.tensor([[[0.0, math.log(3)]]])
    args = {
        "logits": logits,
        "engine_logits": logits.clone(),
        "tokens": torch.tensor([[1]]),
        "advantages": torch.tensor([[1.0]]),
        "mask": torch.tensor([[True]]),
        "temperature": 0.5,
        "cap": 2.0,
    }
    entropy = -(0.9 * math.log(0.9) + 0.1 * math.log(0.1))
    return case("one_token", args, visible=True, expected=(-math.log(0.9), 1.0, entropy))


def same_weights_cold(rng):
    return case("same_weights_cold", batch(rng, 0.6, 2.0, drift=0.0))


def same_weights_hot(rng):
    return case("same_weights_hot", batch(rng, 1.4, 2.0, drift=0.0))


def temperature_of_one(rng):
    return case("temperature_of_one", batch(rng, 1.0, 100.0, drift=0.5))


def newer_weights(rng):
    return case("newer_weights", batch(rng, 0.7, 1000.0, drift=0.4))


def half_capped(rng):
    return case("half_capped", capped_half(rng, 0.8))


def constants_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = batch(rng, 0.7, 1000.0, drift=0.4)
    return Case("constants_require_grad", args, grads=("logits",), constants=("engine_logits", "advantages"))


def double_precision(rng):
    args = capped_half(rng, 1.3)
    return case(
        "double_precision",
        {name: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for name, x in args.items()},
    )


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield one_token()
    yield same_weights_cold(rng)
    yield same_weights_hot(rng)
    yield temperature_of_one(rng)
    yield newer_weights(rng)
    yield half_capped(rng)
    yield constants_require_grad(rng)
    yield double_precision(rng)
