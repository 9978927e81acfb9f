"""Rollouts with several epochs and minibatches, whose values move in and out of the clip range."""

from collections.abc import Iterator

import torch

from tasks.task import Case

SIZE = 2


def rollout(rng, states, epochs, rows, dtype):
    """Return a rollout; the returns scatter, so some steps move a value away from its return."""
    features = 2 * torch.rand(states, SIZE, generator=rng, dtype=dtype) - 1
    returns = 2 * torch.randn(states, generator=rng, dtype=dtype) + features.sum(dim=1)
    orders = [torch.randperm(states, generator=rng) for _ in range(epochs)]
    return {"features": features, "returns": returns, "epochs": [list(order.split(rows)) for order in orders]}


def kinds_of_steps(settings, rollouts):
    """Return for each step which kinds of values beyond the clip range it has.

    "held" values have the larger clipped error, "away" values have the smaller one, and "unclear" values are too near
    the edge of the range or to equal errors.
    """
    limit = settings["clip_range"]
    weights = settings["weights"].double()
    steps = []
    for rollout in rollouts:
        features, returns = rollout["features"].double(), rollout["returns"].double()
        old_values = features @ weights
        for rows in (rows for epoch in rollout["epochs"] for rows in epoch):
            moved = features[rows] @ weights - old_values[rows]
            errors = features[rows] @ weights - returns[rows]
            gain = (errors - moved + moved.clamp(-limit, limit)).abs() - errors.abs()
            is_outside = moved.abs() > limit
            is_unclear = ((moved.abs() - limit).abs() < 2e-3) | (is_outside & (gain.abs() < 2e-3))
            kinds = {"held": is_outside & (gain > 0), "away": is_outside & (gain < 0), "unclear": is_unclear}
            steps.append({kind for kind, found in kinds.items() if found.any()})
            errors = torch.where(kinds["held"], 0.0, errors)
            weights = weights - settings["learning_rate"] * features[rows].T @ errors / len(rows)
    return steps


def case(name, rng, clip_range, sizes, kinds, dtype=torch.float32):
    """Return a run with exactly these kinds of values beyond the clip range, all of them in the last step, too.

    `sizes` has the states, the epochs and the rows of a minibatch of each rollout.
    """
    while True:
        settings = {
            "weights": torch.randn(SIZE, generator=rng, dtype=dtype),
            "learning_rate": 0.6,
            "clip_range": clip_range,
        }
        rollouts = [rollout(rng, *size, dtype) for size in sizes]
        steps = kinds_of_steps(settings, rollouts)
        if steps[-1] == set().union(*steps) == kinds:
            return Case(name, {"settings": settings, "rollouts": rollouts})


def one_state():
    """Return the statement's example: one state, three epochs, and a clip range that the first step leaves."""
    args = {
        "settings": {"weights": torch.tensor([0.0]), "learning_rate": 0.5, "clip_range": 0.2},
        "rollouts": [
            {
                "features": torch.tensor([[1.0]]),
                "returns": torch.tensor([1.0]),
                "epochs": [[torch.tensor([0])], [torch.tensor([0])], [torch.tensor([0])]],
            }
        ],
    }
    # The value is 0, 0.5 and 0.5. Clipped to 0.2, its error is 0.8, which is larger and has no gradient.
    losses = torch.tensor([0.5, 0.32, 0.32], dtype=torch.float64)
    expected = (torch.tensor([0.5]), losses, torch.tensor([0.0, 1.0, 1.0]))
    return Case("one_state", args, visible=True, expected=expected)


def wide_range(rng):
    """Return a run in which no value leaves the clip range."""
    return case("wide_range", rng, 1000.0, [(6, 2, 3)], set())


def one_epoch(rng):
    """Return a single epoch, in which values leave the clip range between minibatches."""
    return case("one_epoch", rng, 0.1, [(9, 1, 3)], {"held"})


def whole_batches(rng):
    """Return epochs of one minibatch each."""
    return case("whole_batches", rng, 0.1, [(3, 4, 3)], {"held"})


def two_rollouts(rng):
    return case("two_rollouts", rng, 0.1, [(6, 2, 3), (6, 2, 3)], {"held", "away"})


def three_rollouts(rng):
    """Return rollouts of different sizes, with minibatches that do not divide them."""
    return case("three_rollouts", rng, 0.1, [(5, 2, 2), (3, 2, 2), (5, 2, 3)], {"held", "away"})


def narrow_range(rng):
    return case("narrow_range", rng, 0.01, [(4, 3, 2)], {"held"})


def moved_away(rng):
    """Return a run in which some values move away from their returns."""
    return case("moved_away", rng, 0.1, [(6, 3, 3)], {"held", "away"})


def double_precision(rng):
    return case("double_precision", rng, 0.1, [(6, 2, 3), (4, 2, 2)], {"held"}, torch.float64)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield one_state()
    yield wide_range(rng)
    yield one_epoch(rng)
    yield whole_batches(rng)
    yield two_rollouts(rng)
    yield three_rollouts(rng)
    yield narrow_range(rng)
    yield moved_away(rng)
    yield double_precision(rng)
