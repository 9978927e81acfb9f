"""Runs in which adapters and weights are trained, with and without a sync after each step."""

import math
from collections.abc import Iterator

import torch

from tasks.task import Case

VOCABULARY = 7
SIZE = 4
RANK = 2


def draw(rng, *shape):
    return 0.7 * torch.randn(*shape, generator=rng)


def draw_tokens(rng):
    return torch.randint(0, VOCABULARY, (9,), generator=rng)


def both(rng):
    """Return one event of each kind that returns log-probabilities."""
    return [("generate", draw_tokens(rng)), ("score", draw_tokens(rng))]


def draw_run(rng, adapted, is_new=True):
    """Return the inputs of a run without events; `up` is 0 if the adapters are new."""
    weights = {"embed": draw(rng, VOCABULARY, SIZE), "mix": draw(rng, SIZE, SIZE), "head": draw(rng, VOCABULARY, SIZE)}
    adapters = {}
    for name in adapted:
        up = draw(rng, len(weights[name]), RANK)
        adapters[name] = {"down": draw(rng, RANK, SIZE), "up": torch.zeros_like(up) if is_new else up}
    return {"weights": weights, "adapters": adapters, "scale": 0.5}


def step(rng, run, *trained):
    """Return one optimizer step: every adapter changes, and so do the weights in `trained`."""
    changes = {
        f"{name}.{part}": draw(rng, *x.shape) for name, pair in run["adapters"].items() for part, x in pair.items()
    }
    return ("train", {**changes, **{name: draw(rng, *run["weights"][name].shape) for name in trained}})


def one_step():
    """Return the statement's example: the merged weight is the negative of the weight."""
    weight = math.atanh(0.5)
    weights = {
        "embed": torch.ones(2, 1),
        "mix": torch.tensor([[weight]]),
        "head": torch.tensor([[0.0], [2 * math.log(3)]]),
    }
    adapters = {"mix": {"down": torch.ones(1, 1), "up": torch.zeros(1, 1)}}
    tokens = torch.tensor([0, 1])
    events = [("train", {"mix.up": torch.tensor([[-weight]])}), ("sync",), ("generate", tokens), ("score", tokens)]
    # The hidden state is -1/2 with the merged weight, so the logits are (0, -ln 3).
    expected = torch.tensor([math.log(1 / 4)], dtype=torch.float64)
    args = {"weights": weights, "adapters": adapters, "scale": 2.0, "events": events}
    return Case("one_step", args, visible=True, expected=(expected, expected.clone()))


def no_sync(rng):
    run = draw_run(rng, ["mix"])
    return Case("no_sync", {**run, "events": [step(rng, run, "head"), *both(rng)]})


def no_adapters(rng):
    run = draw_run(rng, [])
    events = [step(rng, run, "embed", "mix"), ("sync",), *both(rng), step(rng, run, "head"), *both(rng)]
    return Case("no_adapters", {**run, "events": events})


def three_syncs(rng):
    run = draw_run(rng, ["mix", "head"])
    events = [event for _ in range(3) for event in (step(rng, run), ("sync",), *both(rng))]
    return Case("three_syncs", {**run, "events": events})


def sync_without_training(rng):
    """Return two syncs in a row, with an adapter that has been trained before."""
    run = draw_run(rng, ["head"], is_new=False)
    return Case("sync_without_training", {**run, "events": [*both(rng), ("sync",), *both(rng), ("sync",), *both(rng)]})


def step_after_sync(rng):
    """Return a step that the engine has not received yet when it generates."""
    run = draw_run(rng, ["mix"], is_new=False)
    events = [step(rng, run, "embed"), ("sync",), step(rng, run, "embed"), *both(rng)]
    return Case("step_after_sync", {**run, "events": events})


def weight_beside_adapter(rng):
    """Return an adapter for one weight, while the two other weights are trained themselves."""
    run = draw_run(rng, ["mix"])
    events = [event for _ in range(2) for event in (step(rng, run, "embed", "head"), ("sync",), *both(rng))]
    return Case("weight_beside_adapter", {**run, "events": events})


def adapter_diverges(rng):
    """Return an adapter that becomes so large that few digits of the weight are left in their sum, and then 0 again."""
    run = draw_run(rng, ["mix"])
    large = 2.0**20 * draw(rng, SIZE, RANK)
    events = [
        ("train", {"mix.up": large}),
        ("sync",),
        ("train", {"mix.up": -large}),
        ("sync",),
        *both(rng),
    ]
    return Case("adapter_diverges", {**run, "events": events})


def double_precision(rng):
    run = draw_run(rng, ["mix", "head"])
    weights = {name: x.double() for name, x in run["weights"].items()}
    adapters = {name: {part: x.double() for part, x in pair.items()} for name, pair in run["adapters"].items()}
    changes = {name: x.double() for name, x in step(rng, run)[1].items()}
    events = [("train", changes), ("sync",), *both(rng)]
    return Case("double_precision", {"weights": weights, "adapters": adapters, "scale": 0.5, "events": events})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield one_step()
    yield no_sync(rng)
    yield no_adapters(rng)
    yield three_syncs(rng)
    yield sync_without_training(rng)
    yield step_after_sync(rng)
    yield weight_beside_adapter(rng)
    yield adapter_diverges(rng)
    yield double_precision(rng)
