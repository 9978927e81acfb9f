"""Every part has its own scale, so a part that is left out or counted twice changes the norm."""

import itertools
import math
from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def coordinates(mesh):
    return list(itertools.product(*map(range, mesh.values())))


def distribute(parts, placements, mesh):
    """Return what each rank holds; `parts` maps a name to one tensor per combination of sharded coordinates."""
    ranks = []
    for coordinate in coordinates(mesh):
        place = dict(zip(mesh, coordinate, strict=True))
        ranks.append({name: pieces[tuple(place[dim] for dim in placements[name])] for name, pieces in parts.items()})
    return ranks


def draw_parts(rng, placements, mesh):
    """Return a part of random length and scale for each combination of sharded coordinates."""
    parts = {}
    for name, dims in placements.items():
        keys = itertools.product(*(range(mesh[dim]) for dim in dims))
        parts[name] = {key: draw_part(rng) for key in keys}
    return parts


def draw_part(rng):
    shape = randint(rng, 2, 4), randint(rng, 2, 3)
    signs = 2 * torch.randint(0, 2, shape, generator=rng) - 1
    return signs * (0.5 + torch.rand(shape, generator=rng)) * (0.5 + 2 * torch.rand((), generator=rng))


def on_one_gpu(args):
    """Return the same gradients without copies, on a mesh with a single rank."""
    held = {}
    for rank, coordinate in enumerate(coordinates(args["mesh"])):
        for name, grad in args["grads"][rank].items():
            key = tuple(x for dim, x in zip(args["mesh"], coordinate, strict=True) if dim in args["placements"][name])
            held[f"{name} {key}"] = grad
    return {**args, "grads": [held], "placements": {name: [] for name in held}, "mesh": {"dp": 1}}


def more_copies(args):
    """Return the arguments with another mesh dimension, across which everything is replicated."""
    return {**args, "grads": args["grads"] * 3, "mesh": {"pods": 3, **args["mesh"]}}


DENSE = Relation(
    name="on_one_gpu",
    says="One GPU that holds all parts gets the same norm.",
    change=on_one_gpu,
    expect=lambda out: {"total_norm": out["total_norm"]},
)
COPIED = Relation(
    name="more_copies",
    says="More copies of everything do not change the norm.",
    change=more_copies,
    expect=lambda out: {"total_norm": out["total_norm"]},
)
LARGE_LIMIT = Relation(
    name="large_limit",
    says="The norm does not depend on `max_norm`.",
    change=lambda args: {**args, "max_norm": 1e4},
    expect=lambda out: {"total_norm": out["total_norm"]},
)


def case(name, grads, placements, mesh, max_norm, norm_type=None, **more):
    args = {"grads": grads, "placements": placements, "mesh": mesh, "max_norm": max_norm}
    return Case(name=name, args=args if norm_type is None else {**args, "norm_type": norm_type}, **more)


def by_hand(name, grads, placements, mesh, max_norm, expected, norm_type=None):
    """Return a visible case; `expected` is the norm and the factor."""
    tensors = [{key: None if x is None else torch.tensor(x) for key, x in held.items()} for held in grads]
    total_norm, factor = expected
    clipped = [{key: True if x is None else [factor * y for y in x] for key, x in held.items()} for held in grads]
    result = {"total_norm": total_norm, "clipped": tuple(clipped)}
    return case(name, tensors, placements, mesh, max_norm, norm_type, visible=True, expected=result)


def literals():
    halves = [{"w": [1.0, 2.0, 3.0, 4.0]}, {"w": [5.0, 6.0, 7.0, 8.0]}]
    tp, norm = {"tp": 2}, math.sqrt(204)
    yield by_hand("two_parts", halves, {"w": ["tp"]}, tp, 1.0, (norm, 1 / (norm + 1e-6)))
    # 204 + 14 ** 2 = 20 ** 2
    with_copies = [{**held, "b": [14.0]} for held in halves]
    yield by_hand("one_replicated", with_copies, {"w": ["tp"], "b": []}, tp, 5.0, (20.0, 5 / (20 + 1e-6)))
    yield by_hand("below_the_limit", with_copies, {"w": ["tp"], "b": []}, tp, 30.0, (20.0, 1.0))
    # The parts are equal, but they are different elements: 4 * 3 ** 2 = 6 ** 2
    twins = [{"w": [3.0, -3.0]}, {"w": [3.0, -3.0]}]
    yield by_hand("equal_parts", twins, {"w": ["tp"]}, tp, 1.5, (6.0, 1.5 / (6 + 1e-6)))
    # Replicated across "dp" and sharded across "tp": 3 ** 2 + 4 ** 2 = 5 ** 2
    both = [{"w": [3.0]}, {"w": [4.0]}] * 2
    yield by_hand("copies_of_parts", both, {"w": ["tp"]}, {"dp": 2, "tp": 2}, 1.0, (5.0, 1 / (5 + 1e-6)))
    # The same with the ranks in a different order, because "tp" comes first.
    other = [{"w": [3.0]}, {"w": [3.0]}, {"w": [4.0]}, {"w": [4.0]}]
    yield by_hand("parts_of_copies", other, {"w": ["tp"]}, {"tp": 2, "dp": 2}, 1.0, (5.0, 1 / (5 + 1e-6)))
    # The experts of rank 1 received no tokens, and the last part of the table is empty.
    idle = [{"e": [6.0], "t": [-8.0]}, {"e": None, "t": []}]
    places = {"e": ["ep"], "t": ["ep"]}
    yield by_hand("idle_experts", idle, places, {"ep": 2}, 1.0, (10.0, 1 / (10 + 1e-6)))
    yield by_hand("largest_value", idle, places, {"ep": 2}, 2.0, (8.0, 2 / (8 + 1e-6)), math.inf)
    # The cubes of the parts are 1 + 8 + 27 + 64 + 125 = 225, and 225 + 216 + 288 = 9 ** 3.
    cubes = [{"w": [1.0, -2.0, 3.0], "b": [6.0]}, {"w": [4.0, 5.0, 0.0], "b": [6.0]}]
    cubes = [{**held, "c": [math.cbrt(288.0)]} for held in cubes]
    yield by_hand("third_power", cubes, {"w": ["tp"], "b": [], "c": []}, tp, 3.0, (9.0, 3 / (9 + 1e-6)), 3.0)
    # A norm of half of 1e-6
    yield by_hand("tiny_norm", [{"w": [3e-7]}, {"w": [4e-7]}], {"w": ["tp"]}, tp, 2e-7, (5e-7, 2e-7 / 1.5e-6))


def nothing():
    """Return gradients that are zero, empty or missing."""
    held = {"w": torch.zeros(2), "t": torch.zeros(0, 3), "e": None}
    expected = {"total_norm": 0.0, "clipped": ({"w": [0.0, 0.0], "t": torch.zeros(0, 3), "e": True},) * 2}
    relation = Relation(
        name="largest_of_nothing",
        says="The largest absolute value is 0 as well.",
        change=lambda args: {**args, "norm_type": math.inf},
    )
    places = {"w": [], "t": ["tp"], "e": []}
    return case("nothing", [held, held], places, {"tp": 2}, 1.0, relations=(relation,), expected=expected)


def dense_model(rng):
    mesh = {"dp": randint(rng, 2, 3), "tp": 2}
    placements = {"column": ["tp"], "norm": [], "flat": ["dp"], "both": ["dp", "tp"]}
    grads = distribute(draw_parts(rng, placements, mesh), placements, mesh)
    return case("dense_model", grads, placements, mesh, 1.5, relations=(DENSE, COPIED))


def expert_parts(rng):
    """Return the parts of a mixture of experts, on a mesh, some of whose experts received no tokens."""
    mesh = {"dp": 2, "ep": 2, "tp": 2}
    placements = {"router": [], "expert": ["ep", "tp"], "column": ["tp"], "flat": ["ep", "dp"], "late": ["ep"]}
    parts = draw_parts(rng, placements, mesh)
    parts["expert"] |= {(1, 0): None, (1, 1): None}
    parts["late"] |= {(0,): None}
    return distribute(parts, placements, mesh), placements, mesh


def experts(rng):
    return case("experts", *expert_parts(rng), 1.5, relations=(DENSE, LARGE_LIMIT))


def absolute_sum(rng):
    return case("absolute_sum", *expert_parts(rng), 1.5, 1.0, relations=(DENSE,))


def power_of_four(rng):
    return case("power_of_four", *expert_parts(rng), 1.5, 4.0, relations=(DENSE,))


def maximum(rng):
    """Return a case whose largest absolute value is negative, and not on rank 0."""
    grads, placements, mesh = expert_parts(rng)
    for held, (dp, ep, _) in zip(grads, coordinates(mesh), strict=True):
        if dp == ep == 1:
            held["flat"] = held["flat"] - 9.0
    return case("maximum", grads, placements, mesh, 0.5, math.inf, relations=(DENSE, COPIED))


def half_precision(rng):
    """Return gradients in bfloat16; the square of 1.0625 lies halfway between two numbers in bfloat16."""
    mesh = {"dp": 2, "tp": 2}
    placements = {"column": ["tp"], "norm": [], "long": ["tp"]}
    parts = draw_parts(rng, placements, mesh)
    parts = {name: {key: part.bfloat16() for key, part in pieces.items()} for name, pieces in parts.items()}
    parts["long"] = {(0,): torch.full((700,), -0.265625).bfloat16(), (1,): torch.full((700,), 1.0625).bfloat16()}
    return case("half_precision", distribute(parts, placements, mesh), placements, mesh, 4.0)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield nothing()
    yield dense_model(rng)
    yield experts(rng)
    yield absolute_sum(rng)
    yield power_of_four(rng)
    yield maximum(rng)
    yield half_precision(rng)
