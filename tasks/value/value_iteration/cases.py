"""`tol` is clearly between the bounds of two sweeps, and no two actions are nearly equal: rounding decides nothing."""

import math
from collections.abc import Iterator
from itertools import pairwise

import torch

from tasks.task import Case, Relation

GAP = 0.01
# The accuracy divided by the bound of the last sweep; the bound of the sweep before it is larger by 1 / gamma or more.
MARGIN = 1.015


def rand(rng, *shape, low, high):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def iterates(P, R, gamma, count):
    """Return the values before the first sweep and after each of `count` sweeps, in float64."""
    values = [torch.zeros(len(R), dtype=torch.float64)]
    for _ in range(count):
        values.append((R.double() + gamma * P.double() @ values[-1]).amax(dim=1))
    return values


def bound(values, gamma, sweep):
    return gamma / (1 - gamma) * float((values[sweep] - values[sweep - 1]).abs().max())


def is_clear(P, R, gamma, sweeps, is_even):
    """Return whether rounding cannot change the result, and common mistakes change it for every seed.

    One action is clearly best in every state. The policy differs from the one of the transposed table, from the one
    with the largest rewards, if `gamma` is at most 0.9 from the undiscounted one, and after a single sweep from the one
    of the values before it. `is_even` says whether a bound
    from the mean change of all values takes this number of sweeps as well.
    """
    values = iterates(P, R, gamma, sweeps)
    tol = MARGIN * bound(values, gamma, sweeps)
    means = [gamma / (1 - gamma) * float((x - y).abs().mean()) for x, y in pairwise(values)]
    previous, future = (P.double() @ x for x in values[-2:])
    q, undiscounted = R + gamma * future, R + future
    transposed = R + gamma * torch.einsum("tas,t->sa", P.double(), values[-1])
    best = q.argmax(dim=1)
    return (
        all(bool((x.topk(2).values.diff().abs() > GAP).all()) for x in (q, undiscounted))
        and bool((best != R.argmax(dim=1)).any())
        and bool((best != transposed.argmax(dim=1)).any())
        and bool((best != (R + gamma * previous).argmax(dim=1)).any()) == (sweeps == 1)
        and bool((best != undiscounted.argmax(dim=1)).any()) == (gamma <= 0.9)
        and (min(means[:-1], default=math.inf) > tol) == is_even
    )


def process(rng, gamma, sweeps, low=-1.0, high=1.0, keeps=(1.0, 1.0), is_even=True):
    """Return a random process that takes this number of sweeps.

    Each row of `P` has three next states and a sum drawn from `keeps`.
    """
    while True:
        states, actions = randint(rng, 6, 8), randint(rng, 3, 4)
        shares = torch.rand(states, actions, states, generator=rng)
        shares = shares.where(shares > shares.topk(4, dim=2).values[..., 3:], 0.0)
        P = shares / shares.sum(dim=2, keepdim=True) * rand(rng, states, actions, 1, low=keeps[0], high=keeps[1])
        R = rand(rng, states, actions, low=low, high=high)
        if is_clear(P, R, gamma, sweeps, is_even):
            return {"P": P, "R": R, "gamma": gamma, "tol": MARGIN * bound(iterates(P, R, gamma, sweeps), gamma, sweeps)}


def reorder_states(args):
    """Number the states in the opposite order."""
    return {**args, "P": args["P"].flip(0).flip(2), "R": args["R"].flip(0)}


REORDERED = Relation(
    name="states_renumbered",
    says="The numbering of the states does not matter.",
    change=reorder_states,
    expect=lambda out: {"V": out["V"].flip(0), "pi": out["pi"].flip(0), "sweeps": out["sweeps"]},
)
SCALED = Relation(
    name="rewards_and_accuracy_doubled",
    says="Twice the rewards and twice the accuracy give twice the values after the same number of sweeps.",
    change=lambda args: {**args, "R": 2 * args["R"], "tol": 2 * args["tol"]},
    expect=lambda out: {**out, "V": 2 * out["V"]},
)


def stay_or_move(gamma, tol):
    """Return the statement's process: state 1 pays 2 in every step, and state 0 pays nothing."""
    P = torch.tensor([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]])
    return {"P": P, "R": torch.tensor([[0.0, 0.0], [2.0, 0.0]]), "gamma": gamma, "tol": tol}


def two_states():
    # The bounds are 2, 1, 0.5 and 0.25: with gamma 0.5, each bound equals the change.
    args = stay_or_move(0.5, 0.3)
    return Case("two_states", args, visible=True, relations=(REORDERED,), expected=([1.75, 3.75], [1, 0], 4))


def nearly_converged():
    """Return the statement's process with gamma 0.9 and an accuracy that takes 60 sweeps; the limit is (18, 20)."""
    # Sweep k changes the values by 2 * 0.9^(k - 1), and 0.9 / (1 - 0.9) is 9.
    args = stay_or_move(0.9, 18 * 0.9**58.5)
    expected = ([18 * (1 - 0.9**59), 20 * (1 - 0.9**60)], [1, 0], 60)
    return Case("nearly_converged", args, expected=expected)


def ending_rows():
    """Return a state that can stop for 3, or go on with probability 1/2 for 2, and a state that always ends."""
    P = torch.tensor([[[0.0, 0.0], [0.5, 0.0]], [[0.0, 0.0], [0.0, 0.0]]])
    R = torch.tensor([[3.0, 2.0], [-1.0, -2.0]])
    # State 0: 3 at first, then 2 + 0.8 * 0.5 * 3 = 3.2, then 2 + 0.4 * 3.2 = 3.28 and 2 + 0.4 * 3.28 = 3.312.
    # The bounds are 12, 0.8, 0.32 and 0.128.
    args = {"P": P, "R": R, "gamma": 0.8, "tol": 0.2}
    return Case("ending_rows", args, visible=True, expected=([3.312, -1.0], [1, 0], 4))


def last_sweep_changes_policy():
    """Return a chain whose values call for a different action than the ones from which they were computed."""
    P = torch.zeros(3, 2, 3)
    P[0, 1, 1] = P[1, 0, 2] = P[1, 1, 2] = 1.0
    R = torch.tensor([[1.0, 0.0], [0.0, -1.0], [6.0, 5.0]])
    # (1, 0, 6) and then (1, 3, 6): from 3 on, moving on is worth 1.5. The bounds are 6 and 3.
    args = {"P": P, "R": R, "gamma": 0.5, "tol": 4.0}
    return Case("last_sweep_changes_policy", args, expected=([1.0, 3.0, 6.0], [1, 0, 0], 2))


def equal_actions():
    """Return two states in which several actions are exactly equal, but never the first one."""
    P = torch.zeros(2, 4, 2)
    P[:, :, 0] = torch.tensor([[0.5, 0.5, 0.5, 0.5], [0.0, 0.0, 0.5, 0.5]])
    R = torch.tensor([[0.0, 3.0, 3.0, 1.0], [1.0, 2.0, 1.0, 0.0]])
    # State 0: 3, 3.75, 3.9375; its bounds are 3, 0.75 and 0.1875. State 1: 2, 1 + 0.25 * 3 = 1.75 < 2, 2, 2.
    return Case("equal_actions", {"P": P, "R": R, "gamma": 0.5, "tol": 0.5}, expected=([3.9375, 2.0], [1, 1], 3))


def no_future(rng):
    """Return a process with gamma 0: the first sweep is exact."""
    args = process(rng, 0.5, 4)
    expected = (args["R"].amax(dim=1), args["R"].argmax(dim=1), 1)
    return Case("no_future", {**args, "gamma": 0.0, "tol": 1e-3}, expected=expected)


def one_sweep(rng):
    """Return a process with an accuracy that the first sweep reaches, so the values are the largest rewards."""
    args = process(rng, 0.8, 1)
    return Case("one_sweep", args, relations=(REORDERED,))


def many_states(rng):
    """Return a process whose tensors are views of transposed storage."""
    args = process(rng, 0.9, randint(rng, 14, 18), low=-0.5, high=1.5)
    args["P"] = args["P"].permute(2, 1, 0).contiguous().permute(2, 1, 0)
    args["R"] = args["R"].T.contiguous().T
    return Case("many_states", args, relations=(REORDERED, SCALED))


def costs_only(rng):
    args = process(rng, 0.9, randint(rng, 14, 18), low=-2.0, high=-0.5)
    return Case("costs_only", args, relations=(REORDERED, SCALED))


def random_ends(rng):
    args = process(rng, 0.95, randint(rng, 8, 10), low=0.0, high=2.0, keeps=(0.6, 1.0), is_even=False)
    return Case("random_ends", args, relations=(SCALED,))


def far_horizon(rng):
    args = process(rng, 0.97, randint(rng, 40, 50), low=-0.5, high=1.5)
    return Case("far_horizon", args)


def double_precision(rng):
    """Return a process in float64: the values have this dtype as well."""
    args = process(rng, 0.9, 30)
    return Case("double_precision", {**args, "P": args["P"].double(), "R": args["R"].double()})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_states()
    yield nearly_converged()
    yield ending_rows()
    yield last_sweep_changes_policy()
    yield equal_actions()
    yield no_future(rng)
    yield one_sweep(rng)
    yield many_states(rng)
    yield costs_only(rng)
    yield random_ends(rng)
    yield far_horizon(rng)
    yield double_precision(rng)
