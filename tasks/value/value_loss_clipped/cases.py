"""Moves and targets are drawn by region, well away from the clip bounds and from ties between the two errors."""

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
    for shift, name in enumerate(("v", "v_old", "returns")):
        spread = poison[(torch.arange(args["mask"].numel()).reshape(args["mask"].shape) + shift) % 3]
        args[name] = torch.where(args["mask"], args[name], spread)
    return args


PADDING = Relation(
    name="padding_poisoned",
    says="NaN, 1e9 and -1e9 at masked positions change nothing.",
    change=poison_padding,
)
SHIFTED = Relation(
    name="all_shifted",
    says="Adding one number to values, old values and targets changes nothing.",
    change=lambda args: {name: x + 0.5 if name in ("v", "v_old", "returns") else x for name, x in args.items()},
)
MIRRORED = Relation(
    name="all_mirrored",
    says="With all signs turned the loss is the same and the gradient is turned.",
    change=lambda args: {name: -x if name in ("v", "v_old", "returns") else x for name, x in args.items()},
    expect=lambda out: {"loss": out["loss"], "grad.v": -out["grad.v"]},
)
SCALED = Relation(
    name="unit_halved",
    says="In half the unit, eps included, the loss is a quarter.",
    change=lambda args: {name: x / 2 if name != "mask" else x for name, x in args.items()},
    expect=lambda out: {"loss": out["loss"] / 4, "grad.v": out["grad.v"] / 2},
)
REVERSED = Relation(
    name="rows_reversed",
    says="The order of the rows does not matter.",
    change=lambda args: {name: x.flip(0) if isinstance(x, torch.Tensor) else x for name, x in args.items()},
    expect=lambda out: {"loss": out["loss"], "grad.v": out["grad.v"].flip(0)},
)
# The change of the value and the position of the target, both relative to the old value and in units of eps: moved far
# and beyond the target; far but short of it; far the other way; hardly; hardly and nearly there; far down; far down and
# short of it.
PLACES = [(4.0, 1.5), (3.0, 6.0), (3.0, -3.0), (0.5, 3.0), (0.5, 0.8), (-4.0, -1.5), (-3.0, -7.0)]


def batch(rng, rows, steps, eps):
    """Return entries that use these pairs in turn, around positive old values."""
    place = (torch.arange(steps) + 3 * torch.arange(rows)[:, None]) % len(PLACES)
    moved, target = (torch.tensor(PLACES)[place] * rand(rng, rows, steps, 1, low=0.95, high=1.05)).unbind(-1)
    v_old = rand(rng, rows, steps, low=0.5, high=1.5)
    return {
        "v": v_old + eps * moved,
        "v_old": v_old,
        "returns": v_old + eps * target,
        "mask": ragged_mask(rng, rows, steps),
        "eps": eps,
    }


def case(name, args, **more):
    return Case(name=name, args=args, grads=("v",), **more)


def four_entries():
    """Return the statement's example."""
    args = {
        "v": torch.tensor([[2.0, 2.0, 1.1, 0.0]]),
        "v_old": torch.ones(1, 4),
        "returns": torch.tensor([[1.5, 3.0, 3.0, 0.5]]),
        "mask": torch.ones(1, 4, dtype=torch.bool),
    }
    # 0.25 against 0.09; 1 against 3.24; 3.61 twice; 0.25 against 0.09.
    return case("four_entries", args, visible=True, expected=(0.25 + 3.24 + 3.61 + 0.25) / 8)


def one_entry():
    args = {
        "v": torch.tensor([[2.0, 5.0]]),
        "v_old": torch.tensor([[1.0, 1.0]]),
        "returns": torch.tensor([[1.5, 9.0]]),
        "mask": torch.tensor([[True, False]]),
    }
    return case("one_entry", args, visible=True, relations=(PADDING,), expected=0.125)


def two_rows():
    args = {
        "v": torch.tensor([[1.0, 2.0, 3.2, 4.0], [0.0, -2.0, 7.0, 7.0]]),
        "v_old": torch.tensor([[1.0, 1.0, 3.5, 2.0], [1.0, -1.0, 0.0, 0.0]]),
        "returns": torch.tensor([[2.0, 2.0, 1.0, 5.0], [2.0, 0.0, 0.0, 0.0]]),
        "mask": torch.tensor([[True] * 4, [True, True, False, False]]),
        "eps": 0.5,
    }
    # Row 0: 1; 0 against 0.25; 4.84 twice; 1 against 6.25. Row 1: 4 against 2.25; 4 against 2.25.
    return case("two_rows", args, visible=True, relations=(PADDING,), expected=(1 + 0.25 + 4.84 + 6.25 + 4 + 4) / 12)


def four_corners(rng):
    """Return a case whose tensors are views of transposed storage, as a trainer that keeps [T, B] would pass them."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), 0.2)
    args = {name: x.T.contiguous().T if isinstance(x, torch.Tensor) else x for name, x in args.items()}
    return case("four_corners", args, relations=(PADDING, MIRRORED, REVERSED))


def wide(rng):
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), 0.5)
    return case("wide", args, relations=(SHIFTED, SCALED))


def empty_rows(rng):
    args = batch(rng, randint(rng, 4, 6), randint(rng, 12, 16), 0.3)
    args["mask"][2] = False
    return case("empty_rows", args, relations=(PADDING,))


def nothing_counts(rng):
    args = batch(rng, 2, randint(rng, 9, 12), 0.2)
    args["mask"] = torch.zeros_like(args["mask"])
    return case("nothing_counts", args, relations=(PADDING,), expected=0.0)


def constants_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 12, 16), 0.2)
    return Case("constants_require_grad", args, grads=("v",), constants=("v_old", "returns"))


def double_precision(rng):
    """Return a batch in float64: all results have this dtype as well."""
    args = batch(rng, 3, 14, 0.2)
    args = {
        name: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for name, x in args.items()
    }
    return case("double_precision", args)


def no_room():
    """Return moves of 1, -1 and 2 with an `eps` of 0: the clipped value is the old value."""
    args = {
        "v": torch.tensor([[2.0, 0.0, 3.0]]),
        "v_old": torch.ones(1, 3),
        "returns": torch.tensor([[4.0, 3.0, 1.5]]),
        "mask": torch.ones(1, 3, dtype=torch.bool),
        "eps": 0.0,
    }
    # 4 against 9; 9 against 4; 2.25 against 0.25.
    return case("no_room", args, visible=True, expected=(9 + 9 + 2.25) / 6)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield four_entries()
    yield one_entry()
    yield two_rows()
    yield four_corners(rng)
    yield wide(rng)
    yield empty_rows(rng)
    yield nothing_counts(rng)
    yield constants_require_grad(rng)
    yield double_precision(rng)
    yield no_room()
