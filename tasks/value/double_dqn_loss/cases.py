"""The two networks always disagree about the best action, and errors are well away from the kink in the loss."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def batch(rng, size, actions, gamma, n=1):
    """Return transitions with errors of both signs, small and large; about a third of them ended."""
    rows = torch.arange(size)
    a = torch.randint(0, actions, (size,), generator=rng)
    q = rand(rng, size, actions, low=-1.0, high=1.0)
    q_next_online = rand(rng, size, actions, low=-1.0, high=1.0)
    q_next_target = rand(rng, size, actions, low=-1.0, high=1.0)
    best = torch.randint(0, actions, (size,), generator=rng)
    q_next_online[rows, best] = rand(rng, size, low=1.5, high=2.0)
    q_next_target[rows, (best + 1) % actions] = rand(rng, size, low=2.5, high=3.0)
    done = rows % 3 == 1
    worth = torch.where(done, 0.0, gamma**n * q_next_target[rows, best])
    level = torch.tensor([1.5, 0.4, -1.6, -0.5])[rows % 4]
    td = level + rand(rng, size, low=-0.2, high=0.2)
    return {
        "q": q,
        "q_next_online": q_next_online,
        "q_next_target": q_next_target,
        "a": a,
        "r": q[rows, a] + td - worth,
        "done": done,
        "gamma": gamma,
        "n": n,
    }


def poison_ended(args):
    poison = torch.tensor([math.nan, 1e9, -math.inf])
    for name in ("q_next_online", "q_next_target"):
        shape = args[name].shape
        # NaN at the same positions, so that an argmax that picks a NaN looks up a NaN.
        spread = poison[torch.arange(shape[0] * shape[1]).reshape(shape) % 3]
        args[name] = torch.where(args["done"][:, None], spread, args[name])
    return args


def reorder_actions(args):
    """Reverse the order of the actions."""
    for name in ("q", "q_next_online", "q_next_target"):
        args[name] = args[name].flip(1)
    args["a"] = args["q"].shape[1] - 1 - args["a"]
    return args


ENDED = Relation(
    name="ended_poisoned",
    says="Whatever the networks say after an episode's end changes nothing.",
    change=poison_ended,
)
REORDERED = Relation(
    name="actions_reordered",
    says="The numbering of the actions does not matter.",
    change=reorder_actions,
    expect=lambda out: {**out, "grad.q": out["grad.q"].flip(1)},
)
REVERSED = Relation(
    name="rows_reversed",
    says="The order of the transitions does not matter.",
    change=lambda args: {name: x.flip(0) if isinstance(x, torch.Tensor) else x for name, x in args.items()},
    expect=lambda out: {"loss": out["loss"], "td": out["td"].flip(0), "grad.q": out["grad.q"].flip(0)},
)
EQUAL_WEIGHTS = Relation(
    name="weights_of_two",
    says="Weights of 2 everywhere double loss and gradient and leave the errors alone.",
    change=lambda args: {**args, "weights": torch.full_like(args["r"], 2.0)},
    expect=lambda out: {"loss": 2 * out["loss"], "td": out["td"], "grad.q": 2 * out["grad.q"]},
)


def case(name, args, **more):
    return Case(name=name, args=args, grads=("q",), **more)


def two(**more):
    """Return the statement's example."""
    return {
        "q": torch.tensor([[0.5, 0.1, 0.4], [0.5, 2.0, 0.0]]),
        "q_next_online": torch.tensor([[1.0, 3.0, 2.0], [1.0, 2.0, 3.0]]),
        "q_next_target": torch.tensor([[5.0, 1.0, 4.0], [7.0, 8.0, 9.0]]),
        "a": torch.tensor([2, 0]),
        "r": torch.tensor([1.0, 1.0]),
        "done": torch.tensor([False, True]),
        "gamma": 0.9,
        **more,
    }


def one_step():
    # Errors 1 + 0.9 - 0.4 and 1 - 0.5; losses 1.5 - 0.5 and 0.125.
    return case("one_step", two(), visible=True, relations=(ENDED,), expected=(1.125 / 2, [1.5, 0.5]))


def two_steps():
    # 1 + 0.81 - 0.4 = 1.41, whose loss is 0.91.
    return case("two_steps", two(n=2), visible=True, expected=((0.91 + 0.125) / 2, [1.41, 0.5]))


def weighted():
    args = two(weights=torch.tensor([0.25, 1.0]))
    return case(
        "weighted",
        args,
        visible=True,
        expected=((0.25 + 0.125) / 2, [1.5, 0.5]),
    )


def one_transition():
    """Return a single transition whose best current action is illegal in the next state."""
    args = {
        "q": torch.tensor([[2.0, 1.0]]),
        "q_next_online": torch.tensor([[-math.inf, -1.0]]),
        "q_next_target": torch.tensor([[math.nan, -2.0]]),
        "a": torch.tensor([0]),
        "r": torch.tensor([-1.0]),
        "done": torch.tensor([False]),
        "gamma": 0.5,
    }
    return case("one_transition", args, expected=(3.5, [-4.0]))


def replayed(rng):
    """Return a case whose matrices are views of transposed storage."""
    args = batch(rng, randint(rng, 8, 12), randint(rng, 3, 6), 0.95)
    for name in ("q", "q_next_online", "q_next_target"):
        args[name] = args[name].T.contiguous().T
    return case("replayed", args, relations=(ENDED, REORDERED, REVERSED, EQUAL_WEIGHTS))


def three_steps(rng):
    args = batch(rng, randint(rng, 8, 12), randint(rng, 3, 6), 0.8, n=3)
    return case("three_steps", args, relations=(ENDED,))


def prioritised(rng):
    size = randint(rng, 8, 12)
    args = batch(rng, size, randint(rng, 3, 6), 0.9)
    args["weights"] = rand(rng, size, low=0.2, high=0.6) + 0.4 * (torch.arange(size) % 2)
    return case("prioritised", args, relations=(REVERSED,))


def illegal_actions(rng):
    args = batch(rng, randint(rng, 8, 12), randint(rng, 4, 6), 0.9)
    best = args["q_next_online"].argmax(dim=1, keepdim=True)
    # All but the best and its left neighbour are illegal; every legal value is negative. The networks disagree.
    neighbour = (best - 1) % args["q"].shape[1]
    legal = torch.zeros_like(args["q"], dtype=torch.bool).scatter(1, torch.cat([best, neighbour], 1), True)
    args["q_next_target"] = args["q_next_target"].scatter(1, neighbour, 2.0)
    args["q_next_online"] = torch.where(legal, args["q_next_online"] - 3.0, -math.inf)
    args["q_next_target"] = torch.where(legal, args["q_next_target"], math.nan)
    return case("illegal_actions", args, relations=(REORDERED,))


def constants_require_grad(rng):
    """Return a separate case for the rule that these arguments receive no gradient although they require one."""
    args = prioritised(rng).args
    return Case("constants_require_grad", args, grads=("q",), constants=("q_next_online", "q_next_target", "weights"))


def double_precision(rng):
    """Return a batch in float64: both results have this dtype as well."""
    args = batch(rng, 9, 4, 0.9)
    args = {
        name: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for name, x in args.items()
    }
    return case("double_precision", args)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield one_step()
    yield two_steps()
    yield weighted()
    yield one_transition()
    yield replayed(rng)
    yield three_steps(rng)
    yield prioritised(rng)
    yield illegal_actions(rng)
    yield constants_require_grad(rng)
    yield double_precision(rng)
