"""Streams of episodes that terminate, are truncated, or both, in buffers that wrap around."""

from collections.abc import Iterator

import torch

from tasks.task import Case

SIZE = 2


def episodes(rng, ends, dtype=torch.float32):
    """Return a stream; each character is a step: "." goes on, "t" terminates, "l" reaches the limit, "b" does both."""
    steps = len(ends)
    after = torch.randn(steps, SIZE, generator=rng, dtype=dtype)
    starts = torch.randn(steps, SIZE, generator=rng, dtype=dtype)
    begins = torch.tensor([step == 0 or ends[step - 1] != "." for step in range(steps)])
    return {
        "observation": torch.where(begins[:, None], starts, after.roll(1, dims=0)),
        "reward": torch.randn(steps, generator=rng, dtype=dtype),
        "next_observation": after,
        "terminated": torch.tensor([end in "tb" for end in ends]),
        "truncated": torch.tensor([end in "lb" for end in ends]),
    }


def draw(rng, after, ages, dtype=torch.float32):
    return {"after": after, "ages": torch.tensor(ages), "weights": torch.randn(SIZE, generator=rng, dtype=dtype)}


def case(name, rng, capacity, ends, draws, dtype=torch.float32):
    stream = episodes(rng, ends, dtype)
    args = {"capacity": capacity, "gamma": 0.9, "stream": stream}
    return Case(name, {**args, "draws": [draw(rng, after, ages, dtype) for after, ages in draws]})


def three_steps():
    """Return the statement's example: two steps up to a time limit, and the first step of the next episode."""
    stream = {
        "observation": torch.tensor([[0.0], [1.0], [0.0]]),
        "reward": torch.ones(3),
        "next_observation": torch.tensor([[1.0], [2.0], [1.0]]),
        "terminated": torch.tensor([False, False, False]),
        "truncated": torch.tensor([False, True, False]),
    }
    draws = [{"after": 3, "ages": torch.tensor([2, 1, 0]), "weights": torch.tensor([1.0])}]
    args = {"capacity": 3, "gamma": 0.5, "stream": stream, "draws": draws}
    # 1 + 0.5 * 1, 1 + 0.5 * 2 and 1 + 0.5 * 1
    expected = (torch.tensor([[0.0], [1.0], [0.0]]), torch.tensor([1.5, 2.0, 1.5], dtype=torch.float64))
    return Case("three_steps", args, visible=True, expected=expected)


def one_long_episode(rng):
    """Return an episode without an end, in a buffer that wraps around twice."""
    return case("one_long_episode", rng, 4, "." * 11, [(2, [0, 1]), (4, [0, 1, 2, 3]), (11, [3, 2, 1, 0])])


def terminations(rng):
    return case("terminations", rng, 5, "..t.t...t..", [(5, [0, 1, 2, 3, 4]), (11, [0, 1, 2, 3, 4])])


def limit_just_reached(rng):
    """Return a truncated step that is drawn before the next episode has begun."""
    return case("limit_just_reached", rng, 6, "..l", [(3, [0, 1, 2])])


def time_limit(rng):
    """Return truncated episodes of three steps in a buffer that they do not fill evenly."""
    return case("time_limit", rng, 7, "..l" * 6, [(8, [0, 1, 2, 3, 4, 5, 6]), (18, [6, 5, 4, 3, 2, 1, 0])])


def slot_used_again(rng):
    """Return a truncated step whose place in the buffer is taken by steps that go on."""
    return case("slot_used_again", rng, 4, ".l" + "." * 12, [(4, [3, 2, 1, 0]), (10, [0, 1, 2, 3]), (14, [0, 1, 2, 3])])


def drawn_twice(rng):
    """Return a truncated step that is drawn several times, while the weights change."""
    return case("drawn_twice", rng, 5, "..l..", [(4, [1, 1, 2]), (5, [2, 2, 3]), (5, [2, 4])])


def limit_at_a_fall(rng):
    """Return steps that terminate in the step in which the limit is reached."""
    return case("limit_at_a_fall", rng, 8, ".b..b..", [(5, [0, 1, 2, 3]), (7, [2, 5, 6])])


def all_kinds(rng):
    ends = "..l.t...lb.l.t..l"
    return case("all_kinds", rng, 9, ends, [(9, list(range(9))), (13, list(range(9))), (17, list(range(9)))])


def one_step_episodes(rng):
    return case("one_step_episodes", rng, 3, "lltll.l", [(2, [0, 1]), (5, [0, 1, 2]), (7, [0, 1, 2])])


def double_precision(rng):
    return case("double_precision", rng, 4, ".l..l.", [(6, [0, 1, 2, 3])], torch.float64)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield three_steps()
    yield one_long_episode(rng)
    yield terminations(rng)
    yield limit_just_reached(rng)
    yield time_limit(rng)
    yield slot_used_again(rng)
    yield drawn_twice(rng)
    yield limit_at_a_fall(rng)
    yield all_kinds(rng)
    yield one_step_episodes(rng)
    yield double_precision(rng)
