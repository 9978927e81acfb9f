"""Log-ratios lie on both sides of the reference point for both labels; the loss is smooth, so there are no kinks."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def batch(rng, kl):
    """Return two desirable answers for each undesirable one, with log-ratios on both sides of the reference point."""
    count = 6 * randint(rng, 2, 3)
    logratio = rand(rng, count, low=1.5, high=8.0)
    logratio[1::4] = rand(rng, len(logratio[1::4]), low=-6.0, high=-1.0)
    return {"logratio": logratio, "desirable": torch.arange(count) % 3 != 2, "kl": torch.tensor(kl), "beta": 0.25}


def mirrored(args):
    """Return the batch with log-ratios mirrored at the reference point, and with labels and weights swapped."""
    point = args["kl"].clamp(min=0)
    swapped = {"w_d": args.get("w_u", 1.0), "w_u": args.get("w_d", 1.0), "desirable": ~args["desirable"]}
    return {**args, **swapped, "logratio": 2 * point - args["logratio"]}


REVERSED = Relation(
    name="answers_reversed",
    says="The order of the answers does not matter.",
    change=lambda args: {**args, "logratio": args["logratio"].flip(0), "desirable": args["desirable"].flip(0)},
    expect=lambda out: {name: x.flip(0) if x.dim() else x for name, x in out.items()},
)
SHIFTED = Relation(
    name="reference_point_shifted",
    says="The same constant added to a positive reference point and to all log-ratios changes nothing.",
    change=lambda args: {**args, "logratio": args["logratio"] + 0.5, "kl": args["kl"] + 0.5},
)
MIRRORED = Relation(
    name="labels_mirrored",
    says="With labels and weights swapped and log-ratios mirrored, the loss is the same and the gradient is negated.",
    change=mirrored,
    expect=lambda out: {name: -x if x.dim() else x for name, x in out.items()},
)
WEIGHTS_DOUBLED = Relation(
    name="weights_doubled",
    says="Twice both weights give twice the loss and gradient.",
    change=lambda args: {**args, "w_d": 2 * args["w_d"], "w_u": 2 * args["w_u"]},
    expect=lambda out: {name: 2 * x for name, x in out.items()},
)


def case(name, args, **more):
    return Case(name=name, args=args, grads=("logratio",), **more)


def answers(logratio, desirable, kl, beta=0.1, **more):
    labels = torch.tensor(desirable, dtype=torch.bool)
    return {"logratio": torch.tensor(logratio), "desirable": labels, "kl": torch.tensor(kl), "beta": beta, **more}


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def by_hand():
    # Both answers are 1.5 on the right side of the reference point.
    loss = 1 - sigmoid(0.15)
    yield case("desirable", answers([2.0], [1], 0.5), expected=loss, visible=True)
    yield case("undesirable", answers([-1.0], [0], 0.5), expected=loss, visible=True)
    # The reference point is 0.
    yield case("negative_estimate", answers([2.0], [1], -0.5), expected=1 - sigmoid(0.2), visible=True)
    loss = (0.5 * (1 - sigmoid(0.5)) + 2 * (1 - sigmoid(-1.5)) + 2 * (1 - sigmoid(1.0)) + 0.5 * (1 - sigmoid(-2.0))) / 4
    args = answers([2.0, 4.0, -1.0, -3.0], [1, 0, 0, 1], 1.0, beta=0.5, w_d=0.5, w_u=2.0)
    yield case("both_labels", args, expected=loss, visible=True)


def one_label():
    """Return batches in which all answers have the same label, which must not divide by a count of zero."""
    loss = 0.75 * (2 - sigmoid(0.5) - sigmoid(-1.0)) / 2
    args = answers([1.5, -1.5], [1, 1], 0.5, beta=0.5, w_d=0.75, w_u=3.0)
    yield case("all_desirable", args, expected=loss)
    loss = 3 * (2 - sigmoid(-0.5) - sigmoid(1.0)) / 2
    args = answers([1.5, -1.5], [0, 0], 0.5, beta=0.5, w_d=0.75, w_u=3.0)
    yield case("all_undesirable", args, expected=loss)


def far_apart():
    """Return log-ratios of 10000 and -10000 for both labels; the losses are 0, 1.5, 1 and 0."""
    args = answers([10000.0, 10000.0, -10000.0, -10000.0], [1, 0, 1, 0], 0.5, w_u=1.5)
    return case("far_apart", args, expected=0.625)


def many_answers(rng):
    return case("many_answers", batch(rng, 0.75), relations=(REVERSED, SHIFTED, MIRRORED))


def weighted(rng):
    args = {**batch(rng, 1.25), "w_d": 0.6, "w_u": 1.8}
    return case("weighted", args, relations=(REVERSED, MIRRORED, WEIGHTS_DOUBLED))


def below_zero(rng):
    """Return a batch whose KL estimate is negative."""
    return case("below_zero", batch(rng, -1.5), relations=(REVERSED, MIRRORED))


def strided(rng):
    """Return a case whose tensors are every second element of a larger one."""
    args = batch(rng, 0.5)
    spread = {name: args[name].repeat_interleave(2)[::2] for name in ("logratio", "desirable")}
    return case("strided", {**args, **spread})


def constants_require_grad(rng):
    """Return a separate case for the rule that `kl` receives no gradient although it requires one."""
    return Case("constants_require_grad", batch(rng, 0.75), grads=("logratio",), constants=("kl",))


def double_precision(rng):
    args = batch(rng, 0.75)
    return case("double_precision", {**args, "logratio": args["logratio"].double(), "kl": args["kl"].double()})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield from one_label()
    yield far_apart()
    yield many_answers(rng)
    yield weighted(rng)
    yield below_zero(rng)
    yield strided(rng)
    yield constants_require_grad(rng)
    yield double_precision(rng)
