"""Each scenario tests one rule; in the long traces at the end, the pool has about half of the needed blocks."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def later(args):
    return {**args, "requests": [(arrival + 5, prompt, output) for arrival, prompt, output in args["requests"]]}


def shifted(out):
    return {name: torch.where(out[name] < 0, -1, out[name] + 5) for name in ("first", "finish")} | {
        name: out[name] for name in ("preemptions", "wasted")
    }


LATER = Relation("five_steps_later", "Requests that arrive five steps later end five steps later.", later, shifted)


def case(name, requests, num_blocks, block_size, token_budget, **more):
    args = {"requests": requests, "num_blocks": num_blocks, "block_size": block_size, "token_budget": token_budget}
    return Case(name=name, args=args, **more)


def by_hand():
    expected = {"first": [0, 1], "finish": [2, 4], "preemptions": [0, 1], "wasted": 2}
    return case("by_hand", [(0, 3, 3), (0, 2, 3)], 4, 2, 4, visible=True, expected=expected)


def by_hand_rejected():
    """Return three requests in a pool of eight tokens; the second would need nine, the last arrives after a pause."""
    expected = {"first": [0, -1, 9], "finish": [1, -1, 9], "preemptions": [0, 0, 0], "wasted": 0}
    return case("by_hand_rejected", [(0, 6, 2), (1, 5, 4), (9, 4, 1)], 4, 2, 8, visible=True, expected=expected)


def enough(rng):
    """Return requests with enough blocks for all: nothing is preempted, and only the budget is a limit."""
    requests = [(2 * place, randint(rng, 5, 30), randint(rng, 3, 12)) for place in range(6)]
    return case("enough", requests, 200, 4, randint(rng, 7, 9), relations=(LATER,))


def small_budget(rng):
    """Return more decoding requests than there are tokens in the budget."""
    requests = [(0, 2, randint(rng, 8, 12)) for _ in range(5)]
    return case("small_budget", requests, 60, 4, 3)


def full_blocks(rng):
    """Return prompts that fill their blocks exactly, in a pool with room for the prompts but not for another token."""
    size = randint(rng, 3, 5)
    return case("full_blocks", [(0, 2 * size, 4), (0, 2 * size, 4), (0, size, 2)], 4, size, 100)


def chunk_fits(rng):
    """Return a prompt whose first chunk fits but not the rest, and a second prompt in the queue that would fit."""
    size = randint(rng, 3, 5)
    return case("chunk_fits", [(0, 2 * size - 1, 5), (1, 6 * size, 2), (1, 1, 3)], 7, size, 3 * size)


def chunk_by_chunk():
    """Return a long prompt that holds only the blocks of its chunks, so that it is preempted in step 3 and not before.

    The request ahead of it needs another block in each step.
    """
    expected = {"first": [0, 6], "finish": [3, 6], "preemptions": [0, 1], "wasted": 8}
    return case("chunk_by_chunk", [(0, 2, 4), (0, 12, 1)], 15, 1, 4, visible=True, expected=expected)


def trace(name, rng):
    """Return requests that arrive in bursts, with a pool that is far too small for all of them."""
    size = randint(rng, 2, 4)
    requests, arrival = [], 0
    for _ in range(50):
        arrival += randint(rng, 0, 3)
        # Every other prompt fills its blocks exactly.
        prompt = size * randint(rng, 1, 5) - randint(rng, 0, 1) * randint(rng, 0, size - 1)
        requests.append((arrival, prompt, randint(rng, 1, 6 * size)))
    requests[7] = (requests[7][0], 9 * size, 4 * size)
    requests += [(arrival + 2000, 1, 2)] * 4  # long after the others have finished, and all admitted at once
    return case(name, requests, 12, size, randint(rng, 6, 12), relations=(LATER,))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield by_hand()
    yield by_hand_rejected()
    yield enough(rng)
    yield small_budget(rng)
    yield full_blocks(rng)
    yield chunk_fits(rng)
    yield chunk_by_chunk()
    yield trace("trace", rng)
    yield trace("another_trace", rng)
