"""The expected values are those of one process that starts from rank 0's draw and takes two steps on all rows."""

from collections.abc import Iterator

import torch

from tasks.task import Case, PerRank

WIDTH = 3
DECAY = 0.01
STEPS = 2


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def drawn(seed, spread, has_gain):
    """Return what the harness's make_model draws first after torch.manual_seed(seed)."""
    rng = torch.Generator().manual_seed(seed)
    shapes = {"features": (WIDTH, WIDTH), "scale": (WIDTH,), "head": (WIDTH, WIDTH), "bias": (WIDTH,)}
    shapes |= {"gain": (WIDTH,)} if has_gain else {}
    return {
        name: spread * (torch.randint(0, 4096, shape, generator=rng).double() / 2048 - 1)
        for name, shape in shapes.items()
    }


def case(name, rng, world, has_own_hash_seeds=False, **changed):
    rows = randint(rng, 2, 4)
    args = {
        "seed": randint(rng, 1, 10**6),
        "has_gain": False,
        "checks_objects": False,
        **changed,
        "lr": 0.5,
        "spread": 1.0,
        "states": PerRank(tuple(torch.randn(rows, WIDTH, generator=rng) for _ in range(world))),
        "targets": PerRank(tuple(torch.randn(rows, WIDTH, generator=rng) for _ in range(world))),
    }
    return Case(name=name, args=args, world=world, has_own_hash_seeds=has_own_hash_seeds)


def expected(case: Case):
    """Return the model's state after two steps; each rank draws its own numbers afterward."""
    args = case.args
    state = drawn(args["seed"], args["spread"], args["has_gain"])
    gain = state.get("gain", 1.0)
    states, targets = (torch.cat(args[name].values).double() for name in ("states", "targets"))
    for _ in range(STEPS):
        head, bias = (state[name].clone().requires_grad_() for name in ("head", "bias"))
        outputs = (states * state["scale"] * gain @ state["features"].T).tanh() @ head.T + bias
        (outputs - targets).square().mean().backward()
        state["head"] = (head - args["lr"] * (head.grad + DECAY * head)).detach()
        state["bias"] = (bias - args["lr"] * bias.grad).detach()
    objects = dict.fromkeys(("is_from_make_model", "is_sgd", "holds_trained_only"), True)
    return {"state": state, "distinct_draws": case.world, **(objects if args["checks_objects"] else {})}


def drawn_is_seed():
    """Return a model that draws its seed for every number in its state: 2 on rank 0 and 3 on rank 1."""
    args = {
        "seed": 2,
        "has_gain": False,
        "checks_objects": False,
        "lr": 0.5,
        "spread": None,
        "states": PerRank((torch.zeros(1, WIDTH), torch.zeros(1, WIDTH))),
        "targets": PerRank((torch.full((1, WIDTH), 3.0), torch.full((1, WIDTH), 7.0))),
    }
    # The states are 0, so the head only decays: 2 * (1 - 0.5 * 0.01)^2. The bias is 2, and the targets' mean is 5. The
    # gradient is 2 / 3 * (bias - 5), so each step goes a third of the way: 3, then 11/3.
    full = torch.full((WIDTH, WIDTH), 2.0, dtype=torch.float64)
    state = {"features": full, "scale": full[0], "head": full * 0.995**2, "bias": torch.full_like(full[0], 11 / 3)}
    result = {"state": state, "distinct_draws": 2}
    return Case(name="drawn_is_seed", args=args, world=2, visible=True, expected=result)


def two_ranks(rng):
    return case("two_ranks", rng, 2)


def four_ranks(rng):
    return case("four_ranks", rng, 4)


def not_persistent(rng):
    """Return a model with a buffer that its state_dict does not contain."""
    return case("not_persistent", rng, 2, has_gain=True)


def seed_zero(rng):
    return case("seed_zero", rng, 2, seed=0)


def returned_objects(rng):
    """Return a case that also checks which module and optimizer are returned."""
    return case("returned_objects", rng, 2, checks_objects=True)


def own_hash_seeds(rng):
    """Return a case in which a set lists the names of the model's tensors in a different order on each rank."""
    return case("own_hash_seeds", rng, 2, has_own_hash_seeds=True)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield drawn_is_seed()
    yield two_ranks(rng)
    yield four_ranks(rng)
    yield not_persistent(rng)
    yield seed_zero(rng)
    yield returned_objects(rng)
    yield own_hash_seeds(rng)
