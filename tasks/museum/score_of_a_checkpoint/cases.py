"""Trainings with evaluations between their batches; the evaluated observations come from elsewhere."""

from collections.abc import Iterator

import torch

from tasks.task import Case

SIZE = 2
OFFSET = (1.0, -2.0)
SCALE = (0.5, 3.0)


def train(rng, rows, dtype=torch.float32):
    """Return a batch whose rows lie on both sides of the offset in turn, so no variance is small."""
    side = (torch.arange(rows) % 2 * 2 - 1)[:, None]
    noise = side * (0.7 + 0.6 * torch.rand(rows, SIZE, generator=rng, dtype=dtype))
    observations = torch.tensor(OFFSET, dtype=dtype) + noise * torch.tensor(SCALE, dtype=dtype)
    return {"kind": "train", "observations": observations}


def evaluate(rng, lengths, dtype=torch.float32):
    """Return an evaluation whose observations lie above most training observations, and its actions above the goals.

    So the score changes whenever one of them enters the statistics.
    """
    episodes = []
    for length in lengths:
        noise = 1 + torch.rand(length, SIZE, generator=rng, dtype=dtype)
        observations = torch.tensor(OFFSET, dtype=dtype) + noise * torch.tensor(SCALE, dtype=dtype)
        episodes.append({"observations": observations, "goals": -torch.rand(length, generator=rng, dtype=dtype)})
    weights = 1 + torch.rand(SIZE, generator=rng, dtype=dtype)
    return {"kind": "evaluate", "weights": weights, "episodes": episodes}


def two_observations():
    """Return the statement's example: two training rows with mean 0 and variance 1, and one episode of two steps."""
    events = [
        {"kind": "train", "observations": torch.tensor([[-1.0], [1.0]])},
        {
            "kind": "evaluate",
            "weights": torch.tensor([1.0]),
            "episodes": [{"observations": torch.tensor([[3.0], [3.0]]), "goals": torch.tensor([2.0, 4.0])}],
        },
    ]
    # Both normalized observations are 3, so both actions miss their goals by 1.
    expected = (torch.tensor([[-1.0], [1.0]]), torch.tensor([-2.0]), torch.tensor([[0.0], [1.0]]))
    return Case("two_observations", {"events": events}, visible=True, expected=expected)


def evaluated_once(rng):
    return Case("evaluated_once", {"events": [train(rng, 6), train(rng, 4), evaluate(rng, [3, 2])]})


def evaluated_in_between(rng):
    """Return evaluations between training batches that change the statistics a lot."""
    events = [train(rng, 3), evaluate(rng, [2, 3]), train(rng, 5), evaluate(rng, [4]), train(rng, 8)]
    return Case("evaluated_in_between", {"events": events})


def evaluated_twice_in_a_row(rng):
    """Return the same evaluation twice, which must give the same score."""
    twice = evaluate(rng, [3, 1])
    return Case("evaluated_twice_in_a_row", {"events": [train(rng, 4), twice, twice, train(rng, 3)]})


def one_step_episodes(rng):
    return Case("one_step_episodes", {"events": [train(rng, 5), evaluate(rng, [1, 1, 1]), train(rng, 2)]})


def one_row_batches(rng):
    """Return training batches of one row, as from a single environment."""
    batches = [train(rng, 1) for _ in range(4)]
    return Case("one_row_batches", {"events": [train(rng, 2), *batches, evaluate(rng, [2, 5])]})


def many_episodes(rng):
    return Case("many_episodes", {"events": [train(rng, 20), evaluate(rng, [1, 2, 3, 4, 5, 6])]})


def constant_feature(rng):
    """Return a feature that is constant in training and different in the evaluation."""
    batch, played = train(rng, 6), evaluate(rng, [2, 3])
    batch["observations"][:, 0] = 2.0
    return Case("constant_feature", {"events": [batch, played]})


def nearly_constant_feature(rng):
    """Return a feature whose variance is as small as the number that is added to it."""
    batch, played = train(rng, 6, torch.float64), evaluate(rng, [2, 3], torch.float64)
    for observations in (batch["observations"], *(episode["observations"] for episode in played["episodes"])):
        observations[:, 0] = (observations[:, 0] - OFFSET[0]) * 2e-4
    return Case("nearly_constant_feature", {"events": [batch, played]})


def training_outlier(rng):
    """Return a training row that is clamped in both features, in different directions."""
    batch = train(rng, 60)
    batch["observations"][7] = torch.tensor([90.0, -400.0])
    return Case("training_outlier", {"events": [batch, evaluate(rng, [2]), train(rng, 4)]})


def outliers(rng):
    """Return an evaluation with observations that are far from those of the training."""
    played = evaluate(rng, [3, 4])
    played["episodes"][0]["observations"][1] *= 40
    return Case("outliers", {"events": [train(rng, 8), played, train(rng, 3)]})


def double_precision(rng):
    events = [train(rng, 4, torch.float64), evaluate(rng, [2, 3], torch.float64), train(rng, 3, torch.float64)]
    return Case("double_precision", {"events": [*events, evaluate(rng, [2], torch.float64)]})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield two_observations()
    yield evaluated_once(rng)
    yield evaluated_in_between(rng)
    yield evaluated_twice_in_a_row(rng)
    yield one_step_episodes(rng)
    yield one_row_batches(rng)
    yield many_episodes(rng)
    yield constant_feature(rng)
    yield nearly_constant_feature(rng)
    yield training_outlier(rng)
    yield outliers(rng)
    yield double_precision(rng)
