"""All drawn gradients are multiples of a power of two, so that their sum is exact in float32, in any order."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation

INF, NAN = math.inf, math.nan


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


DOUBLED = Relation(
    name="doubled",
    says="Twice the loss scale and twice the gradients change nothing, unless a sum overflows.",
    change=lambda args: {**args, "grads": 2 * args["grads"], "scale": 2 * args["scale"]},
)


def case(name, grads, scale, **more):
    args = {"grads": grads, "scale": scale, "dtype": str(grads.dtype).removeprefix("torch.")}
    return Case(name=name, args=args, **more)


def by_hand(name, grads, scale, low, main, kahan, errors):
    expected = {"low": low, "main": main, "kahan": kahan, "errors": torch.tensor(errors, dtype=torch.float64)}
    return case(name, grads, scale, visible=True, expected=expected)


def literals():
    column = torch.tensor([[256.0], [1.0], [1.0], [1.0], [1.0]])
    yield by_hand("five_gradients", column.bfloat16(), 1.0, [51.2], [52.0], [52.0], [4 / 260, 0.0, 0.0])
    # 3 + 256 is rounded to 260. Then 260 - 3 is rounded to 256, so the compensation is 0 instead of 1.
    column = torch.tensor([[3.0], [256.0], [2.0]])
    errors = [1 / 261, 0.0, 1 / 261]
    yield by_hand("small_before_large", column.bfloat16(), 1.0, [262 / 3], [87.0], [262 / 3], errors)
    # The 16-bit sum stops at 256. In Kahan summation, it grows by 2 in every second step.
    ones = torch.ones(512, 1).bfloat16()
    yield by_hand("five_hundred_ones", ones, 1.0, [0.5], [1.0], [1.0], [0.5, 0.0, 0.0])
    # The last 1 is only in the compensation, which is not added.
    pair = torch.tensor([[256.0], [1.0]]).bfloat16()
    yield by_hand("lost_at_the_end", pair, 1.0, [128.0], [128.5], [128.0], [1 / 257, 0.0, 1 / 257])
    # 40000 + 40000 is more than 65504, the largest float16. The second element is 3 + 3 + 6 = 12, scaled by 8.
    large = torch.tensor([[40000.0, 3.0], [40000.0, 3.0], [-30000.0, 6.0]]).half()
    mean = [50000 / 24, 0.5]
    yield by_hand("overflow", large, 8.0, [INF, 0.5], mean, [NAN, 0.5], [INF, 0.0, NAN])
    # The errors are those of one vector: the first element is off by 3 of 259, and the other one is right.
    two = torch.tensor([[256.0, 8.0], [1.0, 8.0], [1.0, 8.0], [1.0, 8.0]]).bfloat16()
    norm = math.hypot(259, 32)
    # The Kahan sum of the first column is 256, 256, 258, 260, although 259 is exact.
    yield by_hand("two_elements", two, 4.0, [16.0, 2.0], [259 / 16, 2.0], [16.25, 2.0], [3 / norm, 0.0, 1 / norm])
    exact = torch.tensor([[96.0, -32.0]]).half()
    yield by_hand("one_microbatch", exact, 32.0, [3.0, -1.0], [3.0, -1.0], [3.0, -1.0], [0.0, 0.0, 0.0])


def drawn(rng, microbatches, elements, step):
    """Return numbers from 1/16 to 1, a fifth of them negative, as multiples of `step`."""
    size = 1 / 16 + 15 / 16 * torch.rand(microbatches, elements, generator=rng)
    sign = torch.where(torch.rand(microbatches, elements, generator=rng) < 0.2, -1.0, 1.0)
    return sign * (size / step).round() * step


def kahan_sum(grads, inner):
    """Return the Kahan sum whose buffers have the dtype of the gradients, but whose steps are computed in `inner`."""
    held = lost = torch.zeros_like(grads[0])
    for grad in grads:
        term = grad.to(inner) - lost.to(inner)
        total = (held.to(inner) + term).to(grads.dtype)
        lost = ((total.to(inner) - held.to(inner)) - term).to(grads.dtype)
        held = total
    return held


def drawn_until(rng, microbatches, step, scale, dtype, *, is_rounding_seen):
    """Return gradients for which it does, or does not, matter that each single operation of a Kahan step is rounded."""
    while True:
        grads = (scale * drawn(rng, microbatches, 12, step)).to(dtype)
        if torch.equal(kahan_sum(grads, dtype), kahan_sum(grads, torch.float32)) != is_rounding_seen:
            return grads


def many_microbatches(rng):
    count = randint(rng, 270, 320)
    grads = drawn_until(rng, count, 2.0**-11, 1.0, torch.bfloat16, is_rounding_seen=False)
    return case("many_microbatches", grads, 1.0, relations=(DOUBLED,))


def scaled_bfloat16(rng):
    count = randint(rng, 140, 180)
    grads = drawn_until(rng, count, 2.0**-11, 64.0, torch.bfloat16, is_rounding_seen=False)
    return case("scaled_bfloat16", grads, 64.0, relations=(DOUBLED,))


def small_in_float16(rng):
    """Return gradients that float16 could not represent well without the loss scale."""
    count = randint(rng, 140, 180)
    grads = drawn_until(rng, count, 2.0**-13, 32.0, torch.float16, is_rounding_seen=True)
    return case("small_in_float16", grads, 2.0**20, relations=(DOUBLED,))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield many_microbatches(rng)
    yield scaled_bfloat16(rng)
    yield small_in_float16(rng)
