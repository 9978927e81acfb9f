"""A run is interrupted in the middle of an epoch, at its end and before its first step; momentum is never zero."""

from collections.abc import Iterator

import torch

from tasks.task import Case


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def by_hand():
    """Return two steps, one before and one after the checkpoint: one prompt, no noise."""
    args = {"weight": torch.tensor([1.0]), "features": torch.tensor([[1.0]]), "lr": 0.4, "noise": 0.0}
    args |= {"seed": 7, "before": 1, "after": 1}
    # Errors 1 - 0.5 and 0.8 - (0.4 - 0.05); weights 1 - 0.4 * 0.5 and 0.8 - 0.4 * (0.25 + 0.45); baselines 0.05, 0.085.
    one = {"weight": [0.52], "lr": 0.4, "baseline": 0.085, "prompts": [0.0], "counters": [2.0, 4.0, 1.0]}
    expected = {"new": one, "old": dict(one), "checkpoint_is_unchanged": True}
    return Case(name="by_hand", args=args, visible=True, expected=expected)


def drawn_seed(rng, prompts):
    """Return a seed for which two different prompts are in flight when the epoch changes, and others at the end."""
    while True:
        seed = randint(rng, 1, 10**6)
        generator = torch.Generator().manual_seed(seed)
        one, two, three = (torch.randperm(prompts, generator=generator).tolist() for _ in range(3))
        if one[-1] != two[0] and one[-1] != three[5]:
            return seed


def case(name, rng, prompts, before, after):
    args = {
        "weight": 1 + torch.rand(4, generator=rng),
        "features": 0.3 + 0.7 * torch.rand(prompts, 4, generator=rng),
        "lr": 0.1,
        "noise": 1.0,
        "seed": drawn_seed(rng, prompts),
        "before": before,
        "after": after,
    }
    return Case(name=name, args=args)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield by_hand()
    # Never a multiple of three steps: the learning rate would then change at the same steps without its scheduler.
    yield case("middle_of_epoch", rng, 24, randint(rng, 7, 8), 8)
    # Prompts are submitted in advance: after this many steps, one of the new epoch is in flight with the last of the
    # old.
    prompts = 8 + 3 * randint(rng, 0, 1) + randint(rng, 0, 1)
    yield case("epoch_changes", rng, prompts, prompts - 1, prompts + 6)
    yield case("first_step", rng, randint(rng, 9, 12), 0, 6)
