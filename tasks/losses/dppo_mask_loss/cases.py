"""Divergences are drawn by region, well away from the bound, so that no case depends on the last bit of a float."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def ragged_mask(rng, rows, steps):
    """Return a mask: rows of 8 or more tokens contain every region, one row has two tokens, and row 0 has a gap."""
    lengths = torch.randint(8, steps, (rows,), generator=rng)
    lengths[0], lengths[1] = steps, 2
    mask = torch.arange(steps) < lengths[:, None]
    mask[0, steps // 2] = False
    return mask


def poison_padding(args):
    poison = torch.tensor([math.nan, 1e9, -1e9])
    for shift, name in enumerate(("logp", "mu_logp", "adv")):
        spread = poison[(torch.arange(args["mask"].numel()).reshape(args["mask"].shape) + shift) % 3]
        args[name] = torch.where(args["mask"], args[name], spread)
    return args


PADDING = Relation(
    name="padding_poisoned",
    says="NaN, 1e9 and -1e9 at masked positions change nothing.",
    change=poison_padding,
)
SCALED = Relation(
    name="advantages_scaled",
    says="Half the advantages give half the loss and gradient and silence the same tokens.",
    change=lambda args: {**args, "adv": args["adv"] / 2},
    expect=lambda out: {"loss": out["loss"] / 2, "grad.logp": out["grad.logp"] / 2},
)
REVERSED = Relation(
    name="rows_reversed",
    says="The order of the rows does not matter.",
    change=lambda args: {name: x.flip(0) if isinstance(x, torch.Tensor) else x for name, x in args.items()},
    expect=lambda out: {**out, "grad.logp": out["grad.logp"].flip(0)},
)
INFINITE = (
    "As usual, zero times the logarithm of zero is zero; a divergence may be infinite, and is then greater than any"
    " `delta`."
)
# The engine's and the current probability: far up, far down, near up, near down, rare and tripled, rare and a third.
PAIRS = [(0.5, 0.8), (0.7, 0.4), (0.5, 0.56), (0.6, 0.54), (0.004, 0.012), (0.012, 0.004)]


def batch(rng, rows, steps, pairs, least=0.97):
    """Return tokens that use the pairs in turn, each pair with both signs of the advantage within 16 steps."""
    place = torch.arange(steps) + 2 * torch.arange(rows)[:, None]
    old, new = torch.tensor(pairs)[place % len(pairs)].unbind(-1)
    spread = rand(rng, rows, steps, low=least, high=1.0)
    is_positive = place // len(pairs) % 2 == 0
    adv = torch.where(
        is_positive, rand(rng, rows, steps, low=1.6, high=2.4), rand(rng, rows, steps, low=-0.9, high=-0.6)
    )
    return {
        "logp": (new * spread).log(),
        "mu_logp": (old * spread).log(),
        "adv": adv,
        "mask": ragged_mask(rng, rows, steps),
    }


def case(name, args, **more):
    return Case(name=name, args=args, grads=("logp",), **more)


def four_tokens(**more):
    """Return the statement's example."""
    return {
        "logp": torch.tensor([[0.003, 0.9, 0.4, 0.4]]).log(),
        "mu_logp": torch.tensor([[0.001, 0.6, 0.6, 0.6]]).log(),
        "adv": torch.tensor([[1.0, 1.0, 1.0, -1.0]]),
        "mask": torch.ones(1, 4, dtype=torch.bool),
        **more,
    }


def by_variation():
    loss = -(3 * math.log(0.003) + 0.4 / 0.6 * math.log(0.4)) / 4
    return case("by_variation", four_tokens(), visible=True, expected=loss)


def by_kl():
    # The fourth token counts again, with advantage -1: it cancels the third one's share.
    loss = -(3 * math.log(0.003) + (1 - 1) * 0.4 / 0.6 * math.log(0.4)) / 4
    return case("by_kl", four_tokens(kind="kl"), visible=True, expected=loss)


def two_rows():
    args = {
        "logp": torch.tensor([[-1.0, -2.0, -0.5, -3.0], [-0.7, -1.2, -2.5, -0.1]]),
        "mu_logp": torch.tensor([[-1.2, -1.9, -0.55, -3.3], [-0.7, -1.0, -1.5, -0.1]]),
        "adv": torch.tensor([[1.0] * 4, [-1.0] * 4]),
        "mask": torch.tensor([[True] * 4, [True, True, True, False]]),
        "delta": 0.05,
    }
    # Distances 0.067, 0.014, 0.030, 0.013 and 0, 0.067, 0.141; far and moving farther away: the first and the last two.
    first = math.exp(-0.1) * 2 + math.exp(0.05) * 0.5 + math.exp(0.3) * 3
    return case("two_rows", args, visible=True, relations=(PADDING,), expected=(first - 0.7) / 7)


def certain_tokens():
    """Return tokens with probability 1 under both policies, only under the engine's, and only under the current one."""
    half = math.log(0.5)
    args = {
        "logp": torch.tensor([[0.0, half, 0.0, 0.0, half]]),
        "mu_logp": torch.tensor([[0.0, 0.0, half, half, 0.0]]),
        "adv": torch.tensor([[1.0, -1.0, 1.0, -1.0, 2.0]]),
        "mask": torch.ones(1, 5, dtype=torch.bool),
        "kind": "kl",
        "delta": 0.6,
    }
    # Divergences 0, log 2, infinite, infinite, log 2. The second and the third are masked; of the others, only the last
    # has a nonzero log-probability: weight 0.5, advantage 2.
    return case("certain_tokens", args, expected=-(0.5 * 2 * half) / 5, settled_by=INFINITE)


def one_token():
    """Return one token that is 25 times as likely as when sampled, with a negative advantage: its weight is capped."""
    args = {
        "logp": torch.tensor([[math.log(0.5)]]),
        "mu_logp": torch.tensor([[math.log(0.02)]]),
        "adv": torch.tensor([[-1.0]]),
        "mask": torch.tensor([[True]]),
    }
    return case("one_token", args, relations=(PADDING,), expected=20 * math.log(0.5))


def variation(rng):
    """Return a case whose tensors are views of transposed storage, as a trainer that keeps [T, B] would pass them."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 14, 17), PAIRS)
    args = {name: x.T.contiguous().T for name, x in args.items()}
    return case("variation", args, relations=(PADDING, SCALED, REVERSED))


def coin_kl(rng):
    """Return distant pairs for which the direction of the divergence, or its second term, decides."""
    # From 0.5 to 0.8 it is 0.223 and from 0.8 to 0.5 it is 0.193; the bound is between the two.
    pairs = [(0.5, 0.8), (0.8, 0.5), (0.5, 0.56), (0.6, 0.54), (0.004, 0.012), (0.012, 0.004)]
    args = batch(rng, randint(rng, 3, 5), randint(rng, 14, 17), pairs, least=0.995)
    return case("coin_kl", {**args, "kind": "kl", "delta": 0.207}, relations=(PADDING, SCALED))


def low_cap(rng):
    args = batch(rng, randint(rng, 3, 5), randint(rng, 14, 17), PAIRS)
    return case("low_cap", {**args, "C": 1.3, "delta": 0.5}, relations=(REVERSED,))


def tight(rng):
    args = batch(rng, randint(rng, 3, 5), randint(rng, 14, 17), PAIRS)
    return case("tight", {**args, "delta": 0.03}, relations=(SCALED,))


def no_tokens(rng):
    args = batch(rng, 2, randint(rng, 9, 12), PAIRS)
    args["mask"] = torch.zeros_like(args["mask"])
    return case("no_tokens", args, relations=(PADDING,), expected=0.0)


def large_ratios():
    """Return log-ratios of 9 and -9 that move the tokens back, with a cap that neither reaches."""
    args = {
        "logp": torch.tensor([[-0.5, -9.5]]),
        "mu_logp": torch.tensor([[-9.5, -0.5]]),
        "adv": torch.tensor([[-1.0, 2.0]]),
        "mask": torch.ones(1, 2, dtype=torch.bool),
        "C": 1e4,
    }
    total = -math.exp(9) * 0.5 + 2 * math.exp(-9) * 9.5
    return case("large_ratios", args, visible=True, expected=total / 2)


def large_delta():
    """Return a divergence that is infinite, and one of about 9.1, with a `delta` of 12."""
    args = {
        "logp": torch.tensor([[0.0, -9.5]]),
        "mu_logp": torch.tensor([[math.log(0.5), -0.03125]]),
        "adv": torch.tensor([[1.0, -1.0]]),
        "mask": torch.ones(1, 2, dtype=torch.bool),
        "kind": "kl",
        "delta": 12.0,
    }
    # The first is masked: its log-probability of 0 would add nothing to the loss, but it would receive a gradient.
    return case("large_delta", args, expected=-math.exp(-9.46875) * 9.5 / 2, settled_by=INFINITE)


def constants_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 14, 17), PAIRS)
    return Case("constants_require_grad", args, grads=("logp",), constants=("mu_logp", "adv"))


def double_precision(rng):
    """Return a batch in float64: all results have this dtype as well."""
    args = batch(rng, 3, 14, PAIRS)
    args = {
        name: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for name, x in args.items()
    }
    return case("double_precision", args)


def no_room():
    """Return tokens with a `delta` of 0: any token that moves away is masked, however little it has moved."""
    args = {
        "logp": torch.tensor([[0.55, 0.45, 0.55, 0.45]]).log(),
        "mu_logp": torch.tensor([[0.5] * 4]).log(),
        "adv": torch.tensor([[1.0, 1.0, -1.0, -2.0]]),
        "mask": torch.ones(1, 4, dtype=torch.bool),
        "delta": 0.0,
    }
    # The first and the fourth are masked.
    total = -0.9 * math.log(0.45) + 1.1 * math.log(0.55)
    return case("no_room", args, visible=True, expected=total / 4)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield by_variation()
    yield by_kl()
    yield two_rows()
    yield certain_tokens()
    yield one_token()
    yield variation(rng)
    yield coin_kl(rng)
    yield low_cap(rng)
    yield tight(rng)
    yield no_tokens(rng)
    yield large_ratios()
    yield large_delta()
    yield constants_require_grad(rng)
    yield double_precision(rng)
    yield no_room()
