"""Log-probabilities are multiples of 1/64, so that their differences are exact even if they are large."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def grid(rng, count, low, high):
    return torch.randint(64 * low, 64 * high, (count,), generator=rng) / 64


def batch(rng):
    """Return pairs with positive and negative margins; the policy differs from the reference by up to 8 nats."""
    count = randint(rng, 6, 9)
    ref_w, ref_l = grid(rng, count, -90, -20), grid(rng, count, -90, -20)
    lift_w, lift_l = grid(rng, count, 1, 8), grid(rng, count, -4, -2)
    lift_w[::3], lift_l[::3] = grid(rng, len(lift_w[::3]), -8, -4), grid(rng, len(lift_w[::3]), 1, 3)
    return {"pi_w": ref_w + lift_w, "pi_l": ref_l + lift_l, "ref_w": ref_w, "ref_l": ref_l}


def move_pairs(args):
    """Return the batch with both models' log-probabilities shifted by the same amount for each answer."""
    places = torch.arange(len(args["pi_w"])) / 4
    moved = {"pi_w": args["pi_w"] - places, "ref_w": args["ref_w"] - places}
    return {**args, **moved, "pi_l": args["pi_l"] + 2, "ref_l": args["ref_l"] + 2}


def reverse(args):
    return {name: x.flip(0) if isinstance(x, torch.Tensor) else x for name, x in args.items()}


def exchange(args):
    """Return the batch with every label swapped."""
    turned = {"pi_w": args["pi_l"], "pi_l": args["pi_w"], "ref_w": args["ref_l"], "ref_l": args["ref_w"]}
    return {**args, **turned}


MOVED = Relation(
    name="answers_shifted",
    says="Making an answer rarer under policy and reference by the same factor changes nothing.",
    change=move_pairs,
)
REVERSED = Relation(
    name="pairs_reversed",
    says="The order of the pairs does not matter.",
    change=reverse,
    expect=lambda out: {name: x.flip(0) if x.dim() else x for name, x in out.items()},
)
TURNED = Relation(
    name="labels_turned",
    says="With labels that are wrong half of the time it does not matter which answer is called preferred.",
    change=exchange,
    expect=lambda out: {"loss": out["loss"], "rewards_w": out["rewards_l"], "rewards_l": out["rewards_w"]},
)


def case(name, args, **more):
    return Case(name=name, args=args, grads=("pi_w", "pi_l"), **more)


def pairs(pi_w, pi_l, ref_w, ref_l, **more):
    tensors = {"pi_w": pi_w, "pi_l": pi_l, "ref_w": ref_w, "ref_l": ref_l}
    return {**{name: torch.tensor(numbers) for name, numbers in tensors.items()}, **more}


def by_hand():
    # Rewards 0.1 * 2 and 0.1 * -1, so the margin is 0.3.
    right, turned = math.log(1 + math.exp(-0.3)), math.log(1 + math.exp(0.3))
    one = pairs([-10.0], [-14.0], [-12.0], [-13.0])
    yield case("one_pair", one, expected=(right, [0.2], [-0.1]), visible=True)
    smoothed = (0.9 * right + 0.1 * turned, [0.2], [-0.1])
    yield case("one_smoothed", {**one, "label_smoothing": 0.1}, expected=smoothed, visible=True)
    equal = pairs([-10.0, -31.5], [-14.0, -30.0], [-10.0, -31.5], [-14.0, -30.0], beta=0.5)
    yield case("at_the_reference", equal, expected=(math.log(2), [0.0, 0.0], [0.0, 0.0]), visible=True)


def far_apart():
    # Margins 2000, -2000 and 500: the loss is 0 for correct labels and the margin for wrong ones.
    args = pairs(
        pi_w=[-500.0, -20000.0, -6000.0],
        pi_l=[-10500.0, -500.0, -6000.0],
        ref_w=[-10500.0, -10000.0, -6000.0],
        ref_l=[-500.0, -10500.0, -1000.0],
    )
    rewards = ([1000.0, -1000.0, 0.0], [-1000.0, 1000.0, -500.0])
    return case("far_apart", args, expected=(2000 / 3, *rewards))


def many_pairs(rng):
    return case("many_pairs", batch(rng), relations=(MOVED, REVERSED))


def other_beta(rng):
    args = {**batch(rng), "beta": 0.375}
    return case("other_beta", args, relations=(MOVED, REVERSED))


def noisy_labels(rng):
    args = {**batch(rng), "beta": 0.25, "label_smoothing": 0.15 + 0.01 * randint(rng, 0, 10)}
    return case("noisy_labels", args, relations=(MOVED, REVERSED))


def random_labels(rng):
    args = {**batch(rng), "beta": 0.25, "label_smoothing": 0.5}
    return case("random_labels", args, relations=(TURNED,))


def constants_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = batch(rng)
    return Case("constants_require_grad", args, grads=("pi_w", "pi_l"), constants=("ref_w", "ref_l"))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield far_apart()
    yield many_pairs(rng)
    yield other_beta(rng)
    yield noisy_labels(rng)
    yield random_labels(rng)
    yield constants_require_grad(rng)
