"""The two networks differ clearly in every tensor, and the online one changes after each call."""

from collections.abc import Iterator

import torch

from tasks.task import Case


def rand(rng, *shape, low=-1.0, high=1.0):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def tensors(rng, rows, width, low, high, dtype=torch.float32):
    """Return the tensors of one network; the parameters have this dtype, and the buffers float32."""
    shapes = {"embedding": (rows, width), "head": (rows, width), "bias": (rows,), "mean": (width,)}
    drawn = {name: rand(rng, *shape, low=low, high=high) for name, shape in shapes.items()}
    drawn |= {name: drawn[name].to(dtype) for name in ("embedding", "head", "bias")}
    batches = torch.randint(int(10 * low), int(10 * high), (), generator=rng)
    return {**drawn, "positions": rand(rng, width, low=low, high=high), "batches": batches}


def case(name, rng, taus, is_tied=False, is_frozen=False, dtypes=(torch.float32, torch.float32), **more):
    rows, width = int(torch.randint(3, 6, (), generator=rng)), int(torch.randint(2, 5, (), generator=rng))
    args = {
        "target": tensors(rng, rows, width, 0.5, 2.0, dtypes[0]),
        "online": tensors(rng, rows, width, 3.0, 6.0, dtypes[1]),
        "taus": taus,
        "is_tied": is_tied,
        "is_frozen": is_frozen,
    }
    return Case(name=name, args=args, **more)


def single_numbers(number, batches):
    return {
        "embedding": torch.tensor([[number]]),
        "head": torch.tensor([[2 * number]]),
        "bias": torch.tensor([-number]),
        "mean": torch.tensor([number]),
        "positions": torch.tensor([3 * number]),
        "batches": torch.tensor(batches),
    }


def one_step():
    """Return the statement's example with a trainable target network."""
    args = {"target": single_numbers(1.0, 3), "online": single_numbers(2.0, 8), "taus": [0.005]}
    expected = {
        "tensors": {
            "embedding": [[1.005]],
            "head": [[2.01]],
            "bias": [-1.005],
            "statistics.mean": [2.0],
            "statistics.batches": 8,
            "statistics.positions": [6.0],
        },
        "keeps_objects": True,
        "keeps_memory": True,
        "has_graph": False,
        "requires_grad": [True, True, True],
        "training": [True, True],
        "is_online_unchanged": True,
        "returns_nothing": True,
    }
    return Case("one_step", {**args, "is_tied": False, "is_frozen": False}, visible=True, expected=expected)


def trainable_target(rng):
    return case("trainable_target", rng, [0.1, 0.3])


def frozen_target(rng):
    return case("frozen_target", rng, [0.2, 0.05], is_frozen=True)


def tied_weights(rng):
    return case("tied_weights", rng, [0.25, 0.1], is_tied=True, is_frozen=True)


def several_steps(rng):
    return case("several_steps", rng, [0.05] * 8, is_frozen=True)


def full_copy(rng):
    """Return a tau of 1: the target equals the online network of that time, but does not follow its later changes."""
    return case("full_copy", rng, [1.0], is_frozen=True)


def nothing_moves(rng):
    """Return a tau of 0: only the buffers change."""
    return case("nothing_moves", rng, [0.0], is_frozen=True)


def online_in_bfloat16(rng):
    return case("online_in_bfloat16", rng, [0.3], is_frozen=True, dtypes=(torch.float32, torch.bfloat16))


def double_precision(rng):
    return case("double_precision", rng, [0.3, 0.1], is_frozen=True, dtypes=(torch.float64, torch.float64))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield one_step()
    yield trainable_target(rng)
    yield frozen_target(rng)
    yield tied_weights(rng)
    yield several_steps(rng)
    yield full_copy(rng)
    yield nothing_moves(rng)
    yield online_in_bfloat16(rng)
    yield double_precision(rng)
