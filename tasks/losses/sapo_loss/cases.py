"""Ratios are drawn by region, on both sides of 1; the gate is smooth, so no case needs to avoid a kink."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def gate(ratio, tau):
    """Return the gate of one ratio, for the results computed by hand."""
    return 4 / tau / (1 + math.exp(-tau * (ratio - 1)))


def ragged_mask(rng, rows, steps):
    """Return a mask: rows of 8 or more tokens contain every region, one row has two tokens, and row 0 has a gap."""
    lengths = torch.randint(8, steps, (rows,), generator=rng)
    lengths[0], lengths[1] = steps, 2
    mask = torch.arange(steps) < lengths[:, None]
    mask[0, steps // 2] = False
    return mask


def ratios_in_regions(rng, rows, steps, bands):
    """Return ratios [rows, steps] that are drawn from the bands in turn along each row."""
    band = (torch.arange(steps) % len(bands)).expand(rows, steps)
    low, high = torch.tensor(bands).T
    return rand(rng, rows, steps, low=low[band], high=high[band])


def signed(rng, rows, steps):
    """Return advantages of both signs in each row, the positive ones larger, so that errors do not cancel in a mean."""
    is_positive = (torch.arange(steps) // 4 + torch.arange(rows)[:, None]) % 2 == 0
    return torch.where(
        is_positive, rand(rng, rows, steps, low=1.6, high=2.4), rand(rng, rows, steps, low=-0.6, high=-0.4)
    )


def batch(rng, rows, steps):
    old_logp = rand(rng, rows, steps, low=-2.5, high=-0.5)
    bands = [(0.3, 0.5), (0.85, 0.95), (1.1, 1.3), (1.8, 2.6)]
    logp = old_logp + ratios_in_regions(rng, rows, steps, bands).log()
    return {"logp": logp, "old_logp": old_logp, "adv": signed(rng, rows, steps), "mask": ragged_mask(rng, rows, steps)}


def poison_padding(args):
    poison = torch.tensor([math.nan, 1e9, -1e9])
    for shift, name in enumerate(("logp", "old_logp", "adv")):
        spread = poison[(torch.arange(args["mask"].numel()).reshape(args["mask"].shape) + shift) % 3]
        args[name] = torch.where(args["mask"], args[name], spread)
    return args


def negated(args):
    """Change the sign of every advantage and swap the temperatures, so that each token keeps its temperature."""
    return {**args, "adv": -args["adv"], "tau_pos": args["tau_neg"], "tau_neg": args["tau_pos"]}


PADDING = Relation(
    name="padding_poisoned",
    says="NaN, 1e9 and -1e9 at masked positions change nothing.",
    change=poison_padding,
)
DOUBLED = Relation(
    name="advantages_doubled",
    says="Twice the advantages give twice the loss and gradient.",
    change=lambda args: {**args, "adv": 2 * args["adv"]},
    expect=lambda out: {"loss": 2 * out["loss"], "grad.logp": 2 * out["grad.logp"]},
)
NEGATED = Relation(
    name="signs_and_temperatures_exchanged",
    says="Advantages of the other sign give minus the loss if the two temperatures are exchanged as well.",
    change=negated,
    expect=lambda out: {"loss": -out["loss"], "grad.logp": -out["grad.logp"]},
)
REVERSED = Relation(
    name="rows_reversed",
    says="The order of the rows does not matter.",
    change=lambda args: {name: x.flip(0) if isinstance(x, torch.Tensor) else x for name, x in args.items()},
    expect=lambda out: {**out, "grad.logp": out["grad.logp"].flip(0)},
)


def case(name, args, **more):
    return Case(name=name, args=args, grads=("logp",), **more)


def three_tokens():
    """Return the statement's example."""
    ratios = torch.tensor([[0.5, 1.0, 2.0]])
    args = {
        "logp": ratios.log(),
        "old_logp": torch.zeros(1, 3),
        "adv": torch.tensor([[1.0, 1.0, -1.0]]),
        "mask": torch.ones(1, 3, dtype=torch.bool),
    }
    loss = (-gate(0.5, 1.0) - gate(1.0, 1.0) + gate(2.0, 1.05)) / 3
    return case("three_tokens", args, visible=True, expected=loss)


def two_rows():
    args = {
        "logp": torch.tensor([[-1.0, -2.0, -0.5, -3.0], [-0.7, -1.2, -2.5, -0.1]]),
        "old_logp": torch.tensor([[-1.2, -1.9, -0.55, -3.3], [-0.7, -1.0, -1.5, -0.1]]),
        "adv": torch.tensor([[1.0] * 4, [-1.0] * 4]),
        "mask": torch.tensor([[True] * 4, [True, True, True, False]]),
    }
    first = sum(gate(math.exp(x), 1.0) for x in (0.2, -0.1, 0.05, 0.3)) / 4
    second = sum(gate(math.exp(x), 1.05) for x in (0.0, -0.2, -1.0)) / 3
    return case("two_rows", args, visible=True, relations=(PADDING,), expected=(-first + second) / 2)


def one_token():
    """Return a row with no unmasked tokens, and a row with one, whose ratio is 3."""
    args = {
        "logp": torch.tensor([[-1.0, -2.0], [math.log(3.0) - 2, -0.4]]),
        "old_logp": torch.tensor([[-1.0, -1.0], [-2.0, -0.9]]),
        "adv": torch.tensor([[5.0, 5.0], [-2.0, 1.0]]),
        "mask": torch.tensor([[False, False], [True, False]]),
    }
    return case("one_token", args, relations=(PADDING,), expected=2 * gate(3.0, 1.05))


def four_regions(rng):
    """Return a case whose tensors are views of transposed storage, as a trainer that keeps [T, B] would pass them."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16))
    args = {name: x.T.contiguous().T for name, x in args.items()}
    return case("four_regions", args, relations=(PADDING, DOUBLED, REVERSED))


def uneven_temperatures(rng):
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16))
    temperatures = {"tau_pos": 0.5, "tau_neg": 3.0}
    return case("uneven_temperatures", {**args, **temperatures}, relations=(PADDING, NEGATED))


def equal_temperatures(rng):
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16))
    return case("equal_temperatures", {**args, "tau_pos": 2.0, "tau_neg": 2.0}, relations=(DOUBLED, NEGATED))


def row_means(rng):
    args = batch(rng, randint(rng, 4, 6), randint(rng, 12, 16))
    args["mask"][2] = False
    args["mask"][1] = torch.arange(args["mask"].shape[1]) == 1
    return case("row_means", args, relations=(PADDING, REVERSED))


def no_tokens(rng):
    args = batch(rng, 2, randint(rng, 9, 12))
    args["mask"] = torch.zeros_like(args["mask"])
    return case("no_tokens", args, relations=(PADDING,), expected=0.0)


def large_ratios():
    """Return log-ratios of 8 and -8, each with both signs of the advantage."""
    args = {
        "logp": torch.tensor([[-1.0, -9.0, -1.0, -9.0]]),
        "old_logp": torch.tensor([[-9.0, -1.0, -9.0, -1.0]]),
        "adv": torch.tensor([[1.0, 2.0, -3.0, -1.5]]),
        "mask": torch.ones(1, 4, dtype=torch.bool),
    }
    # The sigmoid of e^8 - 1 rounds to 1.
    small = math.exp(-8)
    loss = (-4.0 - 2 * gate(small, 1.0) + 3 * 4 / 1.05 + 1.5 * gate(small, 1.05)) / 4
    return case("large_ratios", args, visible=True, expected=loss)


def constants_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16))
    return Case("constants_require_grad", args, grads=("logp",), constants=("old_logp", "adv"))


def double_precision(rng):
    """Return a batch in float64: all results have this dtype as well."""
    args = batch(rng, 3, 12)
    args = {
        name: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for name, x in args.items()
    }
    return case("double_precision", args)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield three_tokens()
    yield two_rows()
    yield one_token()
    yield four_regions(rng)
    yield uneven_temperatures(rng)
    yield equal_temperatures(rng)
    yield row_means(rng)
    yield no_tokens(rng)
    yield large_ratios()
    yield constants_require_grad(rng)
    yield double_precision(rng)
