"""The teacher's log-probabilities are well away from their lower limit, so that no case depends on the last bit."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def ragged_mask(rng, rows, steps):
    """Return a mask of rows of two or more tokens; row 0 is full except for a gap, like the output of a tool."""
    lengths = torch.randint(4, steps, (rows,), generator=rng)
    lengths[0], lengths[1] = steps, 2
    mask = torch.arange(steps) < lengths[:, None]
    mask[0, steps // 2] = False
    return mask


def batch(rng, rows, steps):
    """Return a student that is mostly less confident than its teacher, except at every third token."""
    student_logp = rand(rng, rows, steps, low=-3.0, high=-2.0)
    gap = torch.where(
        torch.arange(steps) % 3 == 2,
        rand(rng, rows, steps, low=-0.6, high=-0.3),
        rand(rng, rows, steps, low=0.8, high=1.6),
    )
    return {"student_logp": student_logp, "teacher_logp": student_logp + gap, "mask": ragged_mask(rng, rows, steps)}


def poison_padding(args):
    poison = torch.tensor([math.nan, 1e9, -1e9])
    for shift, name in enumerate(("student_logp", "teacher_logp")):
        spread = poison[(torch.arange(args["mask"].numel()).reshape(args["mask"].shape) + shift) % 3]
        args[name] = torch.where(args["mask"], args[name], spread)
    return args


PADDING = Relation(
    name="padding_poisoned",
    says="NaN, 1e9 and -1e9 at masked positions change nothing.",
    change=poison_padding,
)
STRONGER = Relation(
    name="twice_as_strong",
    says="Twice the strength gives twice the advantages, loss and gradient.",
    change=lambda args: {**args, "lam": 2 * args["lam"]},
    expect=lambda out: {name: 2 * x for name, x in out.items()},
)
REVERSED = Relation(
    name="rows_reversed",
    says="The order of the rows does not matter.",
    change=lambda args: {name: x.flip(0) if isinstance(x, torch.Tensor) else x for name, x in args.items()},
    expect=lambda out: {name: x if x.dim() == 0 else x.flip(0) for name, x in out.items()},
)


def case(name, args, **more):
    return Case(name=name, args=args, grads=("student_logp",), **more)


def one_row():
    """Return the statement's example."""
    args = {
        "student_logp": torch.tensor([[-1.0, -2.0, -0.5, -3.0]]),
        "teacher_logp": torch.tensor([[-1.1, -1.5, -0.6, -2.0]]),
        "mask": torch.ones(1, 4, dtype=torch.bool),
    }
    # -( -0.1 * -1 + 0.5 * -2 - 0.1 * -0.5 + 1 * -3 ) / 4
    return case("one_row", args, visible=True, expected=(3.85 / 4, [[-0.1, 0.5, -0.1, 1.0]]))


def two_rows():
    args = {
        "student_logp": torch.tensor([[-1.0, -2.0, -0.5, -3.0], [-0.7, -1.2, -2.5, -0.1]]),
        "teacher_logp": torch.tensor([[-1.1, -1.5, -0.6, -2.0], [-0.9, -1.0, -1.5, -0.3]]),
        "mask": torch.tensor([[True] * 4, [True, True, True, False]]),
        "lam": 0.5,
    }
    adv = [[-0.05, 0.25, -0.05, 0.5], [-0.1, 0.1, 0.5, 0.0]]
    # The second row's tokens contribute -( -0.1 * -0.7 + 0.1 * -1.2 + 0.5 * -2.5 ) = 1.3.
    return case("two_rows", args, visible=True, relations=(PADDING,), expected=((3.85 / 2 + 1.3) / 7, adv))


def teacher_refuses():
    """Return tokens that the teacher would never sample: -inf and -30 both count as -20."""
    args = {
        "student_logp": torch.tensor([[-1.0, -2.0, -25.0]]),
        "teacher_logp": torch.tensor([[-math.inf, -30.0, -19.0]]),
        "mask": torch.ones(1, 3, dtype=torch.bool),
    }
    return case("teacher_refuses", args, visible=True, expected=((-19 - 36 + 150) / 3, [[-19.0, -18.0, 6.0]]))


def one_token():
    """Return a single unmasked token next to a masked one."""
    args = {
        "student_logp": torch.tensor([[-2.0, -1.0]]),
        "teacher_logp": torch.tensor([[-1.5, -4.0]]),
        "mask": torch.tensor([[True, False]]),
    }
    return case("one_token", args, expected=(1.0, [[0.5, 0.0]]))


def four_corners(rng):
    """Return a case whose tensors are views of transposed storage, as a trainer that keeps [T, B] would pass them."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 9, 14))
    args = {name: x.T.contiguous().T for name, x in args.items()}
    return case("four_corners", {**args, "lam": 1.0}, relations=(PADDING, REVERSED, STRONGER))


def weak(rng):
    args = batch(rng, randint(rng, 3, 5), randint(rng, 9, 14))
    args["mask"][2] = False
    return case("weak", {**args, "lam": 0.3}, relations=(PADDING, STRONGER))


def some_refused(rng):
    args = batch(rng, randint(rng, 3, 5), randint(rng, 9, 14))
    args["teacher_logp"][:, 1] = -math.inf
    args["teacher_logp"][:, 2] = -22.0
    return case("some_refused", {**args, "lam": 1.0}, relations=(REVERSED,))


def no_tokens(rng):
    steps = randint(rng, 5, 8)
    args = batch(rng, 2, steps)
    args["mask"] = torch.zeros_like(args["mask"])
    return case("no_tokens", args, relations=(PADDING,), expected=(0.0, torch.zeros(2, steps)))


def constants_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = batch(rng, randint(rng, 3, 5), randint(rng, 9, 14))
    return Case("constants_require_grad", args, grads=("student_logp",), constants=("teacher_logp",))


def double_precision(rng):
    """Return a batch in float64: all results have this dtype as well."""
    args = batch(rng, 3, 10)
    args = {
        name: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for name, x in args.items()
    }
    return case("double_precision", args)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield one_row()
    yield two_rows()
    yield teacher_refuses()
    yield one_token()
    yield four_corners(rng)
    yield weak(rng)
    yield some_refused(rng)
    yield no_tokens(rng)
    yield constants_require_grad(rng)
    yield double_precision(rng)
