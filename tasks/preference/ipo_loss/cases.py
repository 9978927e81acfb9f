"""Log-probabilities are multiples of 1/64, so that their differences are exact even if they are large."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def grid(rng, count, low, high):
    return torch.randint(64 * low, 64 * high, (count,), generator=rng) / 64


def batch(rng):
    """Return pairs with negative margins, margins up to 4, and margins above 6 nats."""
    count = 3 * randint(rng, 2, 3)
    ref_w, ref_l = grid(rng, count, -90, -20), grid(rng, count, -90, -20)
    lift_w, lift_l = grid(rng, count, 1, 2), grid(rng, count, -2, -1)
    lift_w[::3], lift_l[::3] = grid(rng, count // 3, -6, -4), grid(rng, count // 3, 1, 2)
    lift_w[1::3] = grid(rng, count // 3, 6, 8)
    return {"pi_w": ref_w + lift_w, "pi_l": ref_l + lift_l, "ref_w": ref_w, "ref_l": ref_l}


def move_pairs(args):
    """Return the batch with both models' log-probabilities shifted by the same amount for each answer."""
    places = torch.arange(len(args["pi_w"])) / 4
    moved = {"pi_w": args["pi_w"] - places, "ref_w": args["ref_w"] - places}
    return {**args, **moved, "pi_l": args["pi_l"] + 2, "ref_l": args["ref_l"] + 2}


def reflect(args):
    """Return the batch with every margin reflected at the target, to the same distance on the other side."""
    margin = args["pi_w"] - args["ref_w"] - args["pi_l"] + args["ref_l"]
    return {**args, "pi_w": args["pi_w"] + 2 * (0.5 / args["beta"] - margin)}


MOVED = Relation(
    name="answers_shifted",
    says="Making an answer rarer under policy and reference by the same factor changes nothing.",
    change=move_pairs,
)
REVERSED = Relation(
    name="pairs_reversed",
    says="The order of the pairs does not matter.",
    change=lambda args: {name: x.flip(0) if isinstance(x, torch.Tensor) else x for name, x in args.items()},
    expect=lambda out: {name: x.flip(0) if x.dim() else x for name, x in out.items()},
)
REFLECTED = Relation(
    name="margins_reflected",
    says="A margin as far above the target as it was below has the same loss and minus the gradient.",
    change=reflect,
    expect=lambda out: {name: -x if x.dim() else x for name, x in out.items()},
)


def case(name, args, **more):
    return Case(name=name, args=args, grads=("pi_w", "pi_l"), **more)


def pairs(pi_w, pi_l, ref_w, ref_l, beta):
    tensors = {"pi_w": pi_w, "pi_l": pi_l, "ref_w": ref_w, "ref_l": ref_l}
    return {**{name: torch.tensor(numbers) for name, numbers in tensors.items()}, "beta": beta}


def by_hand():
    # The margin is 3, and the targets are 5 and 2.
    one = pairs([-10.0], [-14.0], [-12.0], [-13.0], 0.1)
    yield case("below_target", one, expected=4.0, visible=True)
    yield case("above_target", {**one, "beta": 0.25}, expected=1.0, visible=True)
    # The target is 2; the margins are 0, 2 and -2, so the squared distances are 4, 0 and 16.
    args = pairs([-10.0, -31.5, -7.0], [-14.0, -30.0, -9.0], [-10.0, -32.5, -8.0], [-14.0, -29.0, -12.0], 0.25)
    yield case("three_pairs", args, expected=20 / 3, visible=True)


def far_apart():
    # The target is 50; the margins are 2000, -2000 and 500.
    args = pairs(
        pi_w=[-500.0, -20000.0, -6000.0],
        pi_l=[-1500.0, -18000.0, -6000.0],
        ref_w=[-1500.0, -19000.0, -6000.0],
        ref_l=[-500.0, -19000.0, -5500.0],
        beta=0.01,
    )
    return case("far_apart", args, expected=(1950.0**2 + 2050.0**2 + 450.0**2) / 3)


def many_pairs(rng):
    return case("many_pairs", {**batch(rng), "beta": 0.25}, relations=(MOVED, REVERSED, REFLECTED))


def small_beta(rng):
    return case("small_beta", {**batch(rng), "beta": 0.05}, relations=(MOVED, REFLECTED))


def large_beta(rng):
    return case("large_beta", {**batch(rng), "beta": 2.0}, relations=(MOVED, REFLECTED))


def constants_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = {**batch(rng), "beta": 0.25}
    return Case("constants_require_grad", args, grads=("pi_w", "pi_l"), constants=("ref_w", "ref_l"))


def double_precision(rng):
    args = {name: x.double() for name, x in batch(rng).items()}
    return case("double_precision", {**args, "beta": 0.1})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield far_apart()
    yield many_pairs(rng)
    yield small_beta(rng)
    yield large_beta(rng)
    yield constants_require_grad(rng)
    yield double_precision(rng)
