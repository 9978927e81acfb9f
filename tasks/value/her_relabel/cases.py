"""Positions in the range of a copy are drawn first, and the uniform numbers are chosen in the middle of their cells."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def rand(rng, *shape, low=-1.0, high=1.0):
    return low + (high - low) * torch.rand(*shape, generator=rng)


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def cells(rng, length, copies, strategy):
    """Return draws [length, copies] for one episode, away from the ends of the cells of the positions they choose.

    The first copy of each transition gets the second position of its range, whose goal is the closest one.
    """
    steps = torch.arange(length)[:, None]
    counts = {"future": length - steps, "episode": 0 * steps + length, "final": 0 * steps + 1}[strategy]
    positions = (torch.rand(length, copies, generator=rng) * counts).floor()
    positions[:, :1] = (counts - 1).clamp(max=1)
    return (positions + rand(rng, length, copies, low=0.05, high=0.95)) / counts


def episode_of(rng, length, number, goals):
    """Return one episode whose achieved goal moves along a diagonal; every other episode reaches its desired goal.

    Every other step is longer than the threshold of 0.8, but its square is below it. Of the shorter steps, every other
    one has a sum of coordinates above the threshold. Two steps are always too far.
    """
    bounds = torch.tensor([(0.83, 0.88), (0.52, 0.6), (0.83, 0.88), (0.2, 0.4)])[torch.arange(length) % 4]
    size = rand(rng, length, low=bounds[:, 0], high=bounds[:, 1])
    path = 40.0 * number + rand(rng, goals) + size.cumsum(0)[:, None] * goals**-0.5
    is_reached = number % 2 == 0
    is_last = torch.arange(length) == length - 1
    goal = path[-1] + 0.1 if is_reached else path[-1] + 5.0
    return {
        "achieved": path,
        "desired": goal.repeat(length, 1),
        "r": torch.where(is_last & is_reached, 0.0, -1.0),
        "done": is_last & is_reached,
        "ends": is_last,
    }


def buffer(rng, lengths, copies, strategy="future", goals=3):
    episodes = [episode_of(rng, length, number, goals) for number, length in enumerate(lengths)]
    args = {name: torch.cat([episode[name] for episode in episodes]) for name in episodes[0]}
    draws = torch.cat([cells(rng, length, copies, strategy) for length in lengths])
    return {**args, "draws": draws, "threshold": 0.8, "strategy": strategy}


def shift_goals(args):
    return {**args, "achieved": args["achieved"] + 7, "desired": args["desired"] + 7}


SHIFTED = Relation(
    name="goals_shifted",
    says="The origin of the goals' coordinates does not matter.",
    change=shift_goals,
    expect=lambda out: {**out, "goal": out["goal"] + 7},
)


def two_episodes(**more):
    """Return the statement's example: the first episode has two transitions, and the second one has a single one."""
    return {
        "achieved": torch.tensor([[1.0, 0.0], [2.0, 0.0], [4.0, 1.0]]),
        "desired": torch.tensor([[5.0, 5.0], [5.0, 5.0], [4.0, 1.0]]),
        "r": torch.tensor([-1.0, -1.0, 0.0]),
        "done": torch.tensor([False, False, True]),
        "ends": torch.tensor([False, True, True]),
        "draws": torch.tensor([[0.7], [0.2], [0.9]]),
        "threshold": 0.5,
        **more,
    }


def in_two_episodes(goals, reached):
    args = two_episodes()
    return (
        torch.tensor([0, 1, 2, 0, 1, 2]),
        torch.cat([args["desired"], torch.tensor(goals)]),
        torch.cat([args["r"], torch.tensor([0.0 if is_reached else -1.0 for is_reached in reached])]),
        torch.cat([args["done"], torch.tensor(reached)]),
    )


def example():
    expected = in_two_episodes([[2.0, 0.0], [2.0, 0.0], [4.0, 1.0]], [False, True, True])
    return Case("example", two_episodes(), visible=True, expected=expected)


def example_episode():
    expected = in_two_episodes([[2.0, 0.0], [1.0, 0.0], [4.0, 1.0]], [False, False, True])
    return Case("example_episode", two_episodes(strategy="episode"), visible=True, expected=expected)


def at_threshold():
    """Return distances of exactly 5, with a threshold of 5."""
    args = {
        "achieved": torch.tensor([[0.0, 0.0], [3.0, 5.0], [3.0, 4.0]]),
        "desired": torch.tensor([[9.0, 9.0]] * 3),
        "r": torch.tensor([-1.0, -1.0, -1.0]),
        "done": torch.tensor([False, False, False]),
        "ends": torch.tensor([False, False, True]),
        "draws": torch.tensor([[0.5, 0.9], [0.4, 0.1], [0.3, 0.6]]),
        "threshold": 5.0,
    }
    expected = (
        torch.tensor([0, 1, 2, 0, 0, 1, 1, 2, 2]),
        torch.tensor([[9.0, 9.0]] * 3 + [[3.0, 5.0]] + [[3.0, 4.0]] + [[3.0, 5.0]] * 2 + [[3.0, 4.0]] * 2),
        torch.tensor([-1.0, -1.0, -1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        torch.tensor([False, False, False, False, True, True, True, True, True]),
    )
    return Case("at_threshold", args, visible=True, expected=expected)


def same_place():
    """Return a threshold of 0: only a copy whose new goal is its own achieved goal reaches the goal."""
    args = two_episodes(threshold=0.0, strategy="final")
    expected = in_two_episodes([[2.0, 0.0], [2.0, 0.0], [4.0, 1.0]], [False, True, True])
    return Case("same_place", args, expected=expected)


def future(rng):
    """Return a case whose matrices are transposed, and whose vectors are every second entry of longer ones."""
    args = buffer(rng, (randint(rng, 6, 8), 1, 5, randint(rng, 6, 8)), 4)
    tensors = {name: x for name, x in args.items() if isinstance(x, torch.Tensor)}
    args |= {name: x.repeat_interleave(2)[::2] for name, x in tensors.items() if x.dim() == 1}
    args |= {name: x.T.contiguous().T for name, x in tensors.items() if x.dim() == 2}
    return Case("future", args, relations=(SHIFTED,))


def episode(rng):
    return Case("episode", buffer(rng, (6, randint(rng, 5, 8), 7), 4, "episode"), relations=(SHIFTED,))


def final(rng):
    return Case("final", buffer(rng, (6, 5, randint(rng, 4, 8)), 2, "final"))


def one_episode(rng):
    return Case("one_episode", buffer(rng, (randint(rng, 10, 14),), 4))


def no_copies(rng):
    return Case("no_copies", buffer(rng, (4, randint(rng, 3, 6)), 0))


def double_precision(rng):
    """Return a batch in float64: goals and rewards have this dtype as well."""
    args = buffer(rng, (6, randint(rng, 5, 8)), 5)
    floats = {name: x.double() for name, x in args.items() if isinstance(x, torch.Tensor) and x.is_floating_point()}
    return Case("double_precision", {**args, **floats})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield example()
    yield example_episode()
    yield at_threshold()
    yield same_place()
    yield future(rng)
    yield episode(rng)
    yield final(rng)
    yield one_episode(rng)
    yield no_copies(rng)
    yield double_precision(rng)
