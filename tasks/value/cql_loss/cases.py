"""The data set's action is often not the best one, and TD errors are small and large."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low=-1.0, high=1.0):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def batch(rng, rows, actions, alpha, level=0.0):
    """Return states whose values are within 2 of `level`; each action of the data set is one below the best in turn."""
    q = level + rand(rng, rows, actions, low=-2.0, high=2.0)
    ranked = q.argsort(dim=1, descending=True)
    a = ranked[torch.arange(rows), torch.arange(rows) % actions]
    errors = torch.tensor([0.3, -0.5, 1.5, -2.5])[torch.arange(rows) % 4] + rand(rng, rows, low=-0.1, high=0.1)
    return {"q": q, "a": a, "target": q[torch.arange(rows), a] - errors, "alpha": alpha}


def case(name, args, **more):
    return Case(name=name, args=args, grads=("q",), **more)


def reverse_actions(args):
    """Number the actions in the opposite order."""
    return {**args, "q": args["q"].flip(1), "a": args["q"].shape[1] - 1 - args["a"]}


def add_illegal(args):
    """Add an illegal action to every state."""
    return {**args, "q": torch.cat([args["q"], torch.full_like(args["q"][:, :1], -math.inf)], dim=1)}


REORDERED = Relation(
    name="actions_reordered",
    says="The numbering of the actions does not matter.",
    change=reverse_actions,
    expect=lambda out: {**out, "grad.q": out["grad.q"].flip(1)},
)
SHIFTED = Relation(
    name="values_and_targets_shifted",
    says="Adding 3 to all values and targets changes nothing.",
    change=lambda args: {**args, "q": args["q"] + 3, "target": args["target"] + 3},
)
ILLEGAL = Relation(
    name="illegal_action_added",
    says="One more action that is illegal changes nothing, and its gradient is 0.",
    change=add_illegal,
    expect=lambda out: {**out, "grad.q": torch.nn.functional.pad(out["grad.q"], (0, 1))},
)


def one_state():
    """Return the statement's example."""
    args = {"q": torch.tensor([[1.0, 2.0, 0.0]]), "a": torch.tensor([1]), "target": torch.tensor([1.5]), "alpha": 0.5}
    gap = math.log(math.exp(-1) + 1 + math.exp(-2))
    return case("one_state", args, visible=True, relations=(ILLEGAL,), expected=(0.125 + 0.5 * gap, gap))


def two_states():
    args = {
        "q": torch.tensor([[0.0, 0.0], [1.0, -1.0]]),
        "a": torch.tensor([0, 1]),
        "target": torch.tensor([3.0, -1.5]),
        "alpha": 2.0,
    }
    # Gaps log 2 and log(1 + e^2); half squared errors 4.5 and 0.125.
    gap = (math.log(2) + math.log(1 + math.exp(2))) / 2
    return case("two_states", args, visible=True, expected=(4.625 / 2 + 2 * gap, gap))


def single_action():
    args = {"q": torch.tensor([[4.0], [-2.0]]), "a": torch.tensor([0, 0]), "target": torch.tensor([1.0, -1.0])}
    return case("single_action", {**args, "alpha": 5.0}, expected=(2.5, 0.0))


def no_penalty(rng):
    return case("no_penalty", batch(rng, randint(rng, 6, 9), 4, 0.0), relations=(REORDERED,))


def many_states(rng):
    """Return a case whose values are a view of transposed storage."""
    args = batch(rng, randint(rng, 8, 12), randint(rng, 3, 5), 1.5)
    args["q"] = args["q"].T.contiguous().T
    return case("many_states", args, relations=(REORDERED, SHIFTED, ILLEGAL))


def large_values(rng):
    """Return values whose exponentials overflow in float32."""
    return case("large_values", batch(rng, randint(rng, 6, 9), 4, 1.0, level=100.0), relations=(REORDERED,))


def illegal_actions(rng):
    """Return states that have only two legal actions: the one in the data set and another one."""
    args = batch(rng, randint(rng, 8, 10), 5, 1.0)
    other = (args["a"] + 2) % 5
    legal = torch.zeros_like(args["q"], dtype=torch.bool).scatter(1, torch.stack([args["a"], other], dim=1), True)
    args["q"] = torch.where(legal, args["q"], -math.inf)
    return case("illegal_actions", args, relations=(REORDERED, SHIFTED))


def target_requires_grad(rng):
    """Return a separate case for the rule that the target receives no gradient although it requires one."""
    args = batch(rng, randint(rng, 6, 9), 3, 0.5)
    return Case("target_requires_grad", args, grads=("q",), constants=("target",))


def double_precision(rng):
    """Return a batch in float64: both results have this dtype as well."""
    args = batch(rng, randint(rng, 6, 9), 3, 0.5)
    return case("double_precision", {**args, "q": args["q"].double(), "target": args["target"].double()})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield one_state()
    yield two_states()
    yield single_action()
    yield no_penalty(rng)
    yield many_states(rng)
    yield large_values(rng)
    yield illegal_actions(rng)
    yield target_requires_grad(rng)
    yield double_precision(rng)
