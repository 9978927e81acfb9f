"""Each fixed trace tests one rule; in the random traces, KL values lie inside and outside the clip interval."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def case(name, kls, counts, init=0.2, target=6.0, horizon=10000, **more):
    args = {"init": init, "target": target, "horizon": horizon, "kls": kls, "counts": counts}
    return Case(name=name, args=args, **more)


def follow(init, factors):
    """Return the coefficients after each factor, for the results computed by hand."""
    betas = [init]
    for factor in factors:
        betas.append(betas[-1] * factor)
    return betas


def by_hand(name, kls, counts, factors, **more):
    """Return a case with the factors of its updates as the literal result."""
    init = more.get("init", 0.2)
    betas = follow(init, factors)
    expected = {"returned": betas[1:], "read": betas, "other": follow(2 * init, factors[::-1])}
    return case(name, kls, counts, expected=expected, visible=True, **more)


def literals():
    # 256 of 10000 samples at the clip bound change the coefficient by 0.2 * 0.0256.
    step = 0.2 * 0.0256
    yield by_hand("far_above", [12.0], [256], [1 + step])
    yield by_hand("far_below", [3.0], [256], [1 - step])
    yield by_hand("inside", [6.3, 5.7, 6.0], [256, 256, 256], [1 + 0.05 * 0.0256, 1 - 0.05 * 0.0256, 1.0])
    yield by_hand("negative_kl", [-1.0, -30.0], [256, 256], [1 - step, 1 - step])
    yield by_hand("not_a_number", [math.nan, 12.0, math.nan], [256, 256, 256], [1.0, 1 + step, 1.0])
    # Batches of different sizes, with an error of 0.1.
    factors = [1 + 0.1 * 0.5, 1 + 0.1 * 0.02, 1 + 0.1 * 2]
    yield by_hand("batch_sizes", [1.1, 1.1, 1.1], [50, 2, 200], factors, init=0.5, target=1.0, horizon=100)
    # A target far below 1, as for a KL per token, and a horizon of one batch.
    factors = [1.2, 0.9, 0.8]
    kls = [0.02, 0.009, 0.001]
    yield by_hand("target_per_token", kls, [64, 64, 64], factors, init=3.0, target=0.01, horizon=64)


def random_trace(rng):
    """Return a trace with errors of both signs, a third of them outside the clip interval."""
    target = 0.5 * randint(rng, 4, 8)
    errors = [(randint(rng, 0, 600) - 250) / 1000 for _ in range(30)]
    errors[:4] = [0.15, -0.1, 0.5, -0.6]
    counts = [randint(rng, 100, 900) for _ in errors]
    kls = [target * (1 + error) for error in errors]
    return case("random_trace", kls, counts, init=0.1, target=target, horizon=randint(rng, 2000, 4000))


def long_run(rng):
    """Return hundreds of updates that keep the coefficient growing, up to about a thousand times its initial value."""
    kls = [6.0 * (1 + randint(rng, 120, 240) / 1000) for _ in range(400)]
    return case("long_run", kls, [randint(rng, 900, 1300) for _ in kls])


def decay(rng):
    """Return hundreds of updates below the target."""
    kls = [6.0 * (1 - randint(rng, 100, 240) / 1000) for _ in range(300)]
    return case("decay", kls, [randint(rng, 1000, 1500) for _ in kls], init=1.5)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield random_trace(rng)
    yield long_run(rng)
    yield decay(rng)
