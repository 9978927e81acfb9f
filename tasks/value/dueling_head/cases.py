"""Illegal actions have the largest advantages, and no mean of the advantages is near 0."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def batch(rng, states, actions, step=0.5):
    """Return states with at least two legal actions and one illegal action each.

    The legal advantages of a state differ by at least 0.6 steps. In the first state, all action values are negative.
    """
    rows = torch.arange(states)
    legal = rand(rng, states, actions, low=0.0, high=1.0) < 0.6
    first = torch.randint(0, actions, (states,), generator=rng)
    legal[rows, first] = True
    legal[rows, (first + 1) % actions] = True
    legal[rows, (first + 2) % actions] = False
    order = torch.stack([torch.randperm(actions, generator=rng) for _ in range(states)])
    adv = 0.7 + step * (order + rand(rng, states, actions, low=0.0, high=0.4))
    above = step * actions + rand(rng, states, actions, low=2.0, high=4.0)
    v = rand(rng, states, 1, low=-2.0, high=2.0)
    v[0] = -1.0 - step * actions
    return {"v": v, "adv": torch.where(legal, adv, above), "legal": legal}


def poison_illegal(args):
    poison = torch.tensor([math.nan, 1e9, -math.inf, math.inf]).to(args["adv"].dtype)
    shape = args["adv"].shape
    spread = poison[torch.arange(shape[0] * shape[1]).reshape(shape) % 4]
    return {**args, "adv": torch.where(args["legal"], args["adv"], spread)}


def renumber(out, actions):
    return torch.where(out["action"] < 0, out["action"], actions - 1 - out["action"])


ILLEGAL = Relation(
    name="illegal_poisoned",
    says="Whatever the network says about illegal actions changes nothing.",
    change=poison_illegal,
)
SHIFTED = Relation(
    name="advantages_shifted",
    says="A constant added to all advantages of all states changes nothing.",
    change=lambda args: {**args, "adv": args["adv"] + 0.5},
)
RAISED = Relation(
    name="values_raised",
    says="A state value that is larger by 2 raises all legal action values by 2.",
    change=lambda args: {**args, "v": args["v"] + 2.0},
    expect=lambda out: {
        "q": out["q"] + 2.0,
        "action": out["action"],
        "best": torch.where(out["action"] < 0, out["best"], out["best"] + 2.0),
        "grad.v": out["grad.v"],
        "grad.adv": out["grad.adv"],
    },
)
REORDERED = Relation(
    name="actions_reordered",
    says="The numbering of the actions does not matter.",
    change=lambda args: {**args, "adv": args["adv"].flip(1), "legal": args["legal"].flip(1)},
    expect=lambda out: {"q": out["q"].flip(1), "action": renumber(out, out["q"].shape[1]), "best": out["best"]},
)
REVERSED = Relation(
    name="states_reversed",
    says="The states do not depend on each other.",
    change=lambda args: {name: value.flip(0) for name, value in args.items()},
    expect=lambda out: {name: out[name].flip(0) for name in ("q", "action", "best")},
)


def case(name, args, **more):
    return Case(name=name, args=args, grads=("v", "adv"), **more)


def by_hand(v, adv, legal):
    return {"v": torch.tensor(v), "adv": torch.tensor(adv), "legal": torch.tensor(legal)}


def three_states():
    """Return the statement's example."""
    args = by_hand(
        [[1.0], [2.0], [5.0]],
        [[1.0, 2.0, 3.0], [3.0, 1.0, math.nan], [4.0, math.nan, 2.0]],
        [[True, True, True], [True, True, False], [False, False, False]],
    )
    q = [[0.0, 1.0, 2.0], [3.0, 1.0, -math.inf], [-math.inf] * 3]
    return case("three_states", args, visible=True, expected=(q, [2, 0, -1], [2.0, 3.0, 0.0]))


def one_legal_action():
    # The only legal advantage is its own mean, so the action value is the state's value.
    args = by_hand([[-0.75], [1.5]], [[5.0, 7.0], [-3.0, 2.5]], [[True, False], [False, True]])
    q = [[-0.75, -math.inf], [-math.inf, 1.5]]
    return case("one_legal_action", args, visible=True, expected=(q, [0, 1], [-0.75, 1.5]))


def negative_advantages():
    # The means are -2 and -1.5.
    args = by_hand(
        [[-3.0], [-4.0]],
        [[-2.5, 2.0, -1.5, 3.0], [6.0, -1.0, -2.0, -1.5]],
        [[True, False, True, False], [False, True, True, True]],
    )
    q = [[-3.5, -math.inf, -2.5, -math.inf], [-math.inf, -3.5, -4.5, -4.0]]
    return case("negative_advantages", args, expected=(q, [2, 1], [-2.5, -3.5]))


def equal_advantages():
    # The means are 1.5 and 2; the second state has the same advantage everywhere.
    args = by_hand(
        [[1.0], [0.5]],
        [[4.0, 0.5, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]],
        [[False, True, True, True], [True, True, True, True]],
    )
    q = [[-math.inf, 0.0, 1.5, 1.5], [0.5, 0.5, 0.5, 0.5]]
    return case("equal_advantages", args, expected=(q, [2, 0], [1.5, 0.5]))


def one_state():
    # The mean of the legal advantages is 1.
    args = by_hand([[2.5]], [[1.0, 4.0, -2.0, 9.0]], [[True, True, True, False]])
    return case("one_state", args, expected=([[2.5, 5.5, -0.5, -math.inf]], [1], [5.5]))


def random_states(rng):
    """Return a case whose matrices are views of transposed storage."""
    args = batch(rng, randint(rng, 6, 8), 5)
    args["adv"], args["legal"] = (args[name].T.contiguous().T for name in ("adv", "legal"))
    return case("random_states", args, relations=(ILLEGAL, SHIFTED, RAISED, REORDERED, REVERSED))


def some_ended(rng):
    args = batch(rng, randint(rng, 6, 8), 4)
    args["legal"][1::3] = False
    return case("some_ended", args, relations=(ILLEGAL, RAISED, REORDERED, REVERSED))


def as_many_states_as_actions(rng):
    return case("as_many_states_as_actions", batch(rng, 5, 5), relations=(SHIFTED, REVERSED))


def many_actions(rng):
    return case("many_actions", batch(rng, 4, 18, step=0.2), relations=(ILLEGAL,))


def double_precision(rng):
    args = batch(rng, 6, 4)
    args["legal"][4] = False
    return case("double_precision", {**args, "v": args["v"].double(), "adv": args["adv"].double()})


def timed(rng):
    """Return a large batch for timing."""
    return case("timed", batch(rng, 8192, 18))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield three_states()
    yield one_legal_action()
    yield negative_advantages()
    yield equal_advantages()
    yield one_state()
    yield random_states(rng)
    yield some_ended(rng)
    yield as_many_states_as_actions(rng)
    yield many_actions(rng)
    yield double_precision(rng)
