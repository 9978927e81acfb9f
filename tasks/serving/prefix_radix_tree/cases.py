"""Tokens are random and all different within a case; what is shared, and what must be evicted, is fixed."""

from collections.abc import Iterator

import torch

from tasks.task import Case

NODES, LENGTH = 12, 24


def tokens(rng, *counts):
    """Return lists of tokens; no token occurs twice."""
    drawn = (10 + torch.randperm(900, generator=rng)).tolist()
    return [[drawn.pop() for _ in range(count)] for count in counts]


def case(name, page_size, capacity, calls, **more):
    return Case(name=name, args={"page_size": page_size, "capacity": capacity, "calls": calls}, **more)


def by_hand_case(name, page_size, capacity, told):
    """Return a case from calls with what each returns and the prefixes after it."""
    rows = [[(prefix + [-1] * LENGTH)[:LENGTH] for prefix in sorted(found)] for _, _, found in told]
    expected = {
        "hits": [hits for _, hits, _ in told],
        "nodes": [len(found) for _, _, found in told],
        "prefixes": [(row + [[-1] * LENGTH] * NODES)[:NODES] for row in rows],
    }
    return case(name, page_size, capacity, [call for call, _, _ in told], visible=True, expected=expected)


def by_hand():
    """Return the statement's example."""
    told = [
        (("start", 0, [1, 2, 3]), 0, []),
        (("finish", 0, [4, 5]), -1, [[1, 2, 3, 4]]),
        (("start", 1, [1, 2, 3, 4]), 2, [[1, 2], [1, 2, 3, 4]]),
        (("start", 2, [1, 2, 3, 7, 8]), 2, [[1, 2], [1, 2, 3, 4]]),
        (("finish", 1, [9, 9, 9]), -1, [[1, 2], [1, 2, 3, 4], [1, 2, 3, 4, 9, 9]]),
        (("finish", 2, [8]), -1, [[1, 2], [1, 2, 3, 4], [1, 2, 3, 7, 8, 8]]),
        (("start", 3, [1, 2, 3, 7, 8]), 4, [[1, 2], [1, 2, 3, 4], [1, 2, 3, 7], [1, 2, 3, 7, 8, 8]]),
    ]
    return by_hand_case("by_hand", 2, 8, told)


def single_tokens():
    """Return pages of one token, a prompt of one token, an empty output, and an aborted request."""
    told = [
        (("start", 0, [5]), 0, []),
        (("finish", 0, []), -1, [[5]]),
        (("start", 1, [5]), 0, [[5]]),
        (("finish", 1, [6, 7]), -1, [[5], [5, 6, 7]]),
        (("start", 2, [5, 6, 7]), 2, [[5], [5, 6], [5, 6, 7]]),
        (("start", 3, [5, 6, 7, 8, 9]), 3, [[5], [5, 6], [5, 6, 7]]),
        (("abort", 3), -1, [[5], [5, 6], [5, 6, 7]]),
        (("start", 4, [5, 6, 7, 8, 9]), 3, [[5], [5, 6], [5, 6, 7]]),
    ]
    return by_hand_case("single_tokens", 1, 9, told)


def same_first_token(rng):
    """Return prompts that differ inside a page, both at the beginning and after a shared page."""
    a, b, c, d, one, two = tokens(rng, 3, 2, 2, 2, 1, 1)
    calls = [
        ("start", 0, a + one + b),
        ("finish", 0, one),
        ("start", 1, a + one + c),
        ("finish", 1, one),
        ("start", 2, [a[0], *d, *one]),
        ("finish", 2, two),
        ("start", 3, a + one + b + two),
        ("start", 4, a + one + c + two),
        ("start", 5, [a[0], *d, *one]),
        ("start", 6, [a[0], *one]),
    ]
    return case("same_first_token", 3, 40, calls)


def same_prompt(rng):
    """Return equal prompts that end at a page boundary, as in a GRPO group that is sampled one by one."""
    prompt, one, two = tokens(rng, 6, 2, 3)
    calls = [
        ("start", 0, prompt),
        ("start", 1, prompt),
        ("finish", 0, one),
        ("start", 2, prompt),
        ("finish", 1, two),
        ("finish", 2, one),
        ("start", 3, [*prompt, two[0]]),
        ("start", 4, prompt + two),
    ]
    return case("same_prompt", 2, 40, calls)


def inner_split(rng):
    """Return a node with two children that is split in its middle; later requests reach both children."""
    prompt, a, b, c = tokens(rng, 6, 3, 3, 3)
    calls = [
        ("start", 0, prompt + a),
        ("finish", 0, []),
        ("start", 1, prompt + b),
        ("finish", 1, []),
        ("start", 2, prompt[:4] + c),
        ("finish", 2, []),
        ("start", 3, prompt + a),
        ("start", 4, prompt + b),
        ("start", 5, prompt[:4] + c),
    ]
    return case("inner_split", 2, 40, calls)


def least_recently_used(rng):
    """Return three prefixes of which the oldest is used by a `start` and the next by a `finish` before one must go."""
    a, b, c, d, one = tokens(rng, 4, 4, 4, 4, 1)
    calls = [
        ("start", 0, b + one),
        *[call for number, prompt in ((1, a), (2, b), (3, c)) for call in ends(number, prompt)],
        ("start", 4, a + one),
        ("abort", 4),
        ("finish", 0, []),
        *ends(5, d),
        ("start", 6, a + one),
        ("start", 7, b + one),
        ("start", 8, c + one),
        ("start", 9, d + one),
    ]
    return case("least_recently_used", 2, 12, calls)


def ends(number, prompt, output=()):
    return [("start", number, prompt), ("finish", number, list(output))]


def chain(rng):
    """Return a chain of three nodes whose last use is the same, and a prompt that needs the room of two of them."""
    a, b, c, d, one = tokens(rng, 2, 4, 2, 6, 1)
    calls = [
        *ends(0, a),
        *ends(1, a + b),
        *ends(2, a + b + c),
        *ends(3, a + b + c),
        *ends(4, d),
        ("start", 5, a + b + c + one),
        ("start", 6, d + one),
    ]
    return case("chain", 2, 9, calls)


def all_locked(rng):
    """Return two requests that lock a full tree: as long as one of them runs, a new leaf is evicted at once."""
    a, b, one = tokens(rng, 8, 4, 1)
    calls = [
        *ends(0, a),
        ("start", 1, a + one),
        ("start", 2, a + one),
        ("abort", 1),
        *ends(3, b),
        ("start", 4, b + one),
        ("abort", 2),
        *ends(5, b),
        ("start", 6, a + one),
    ]
    return case("all_locked", 2, 8, calls)


def late_abort(rng):
    """Return a request that is aborted long after it started; its prefix is older than another one."""
    a, b, c, one = tokens(rng, 4, 4, 4, 1)
    calls = [
        *ends(0, b),
        *ends(1, a),
        ("start", 2, a + one),
        ("start", 3, b + one),
        ("abort", 3),
        ("abort", 2),
        *ends(4, c),
        ("start", 5, a + one),
        ("start", 6, b + one),
    ]
    return case("late_abort", 2, 8, calls)


def parent_of_evicted(rng):
    """Return a chain whose lower nodes are evicted while an older leaf is locked; its first node is newer than that."""
    a, b, c, d, e, f, one = tokens(rng, 2, 2, 2, 2, 4, 2, 1)
    calls = [
        *ends(0, a),
        *ends(1, a + b),
        *ends(2, d),
        ("start", 3, d + one),
        *ends(4, a + b + c),
        *ends(5, e),
        ("abort", 3),
        *ends(6, f),
        ("start", 7, a + one),
        ("start", 8, d + one),
    ]
    return case("parent_of_evicted", 2, 8, calls)


def locked_oldest(rng):
    """Return a locked leaf that is the oldest, and a finished request that releases it."""
    a, b, c, d, one = tokens(rng, 4, 4, 4, 4, 1)
    calls = [
        *ends(0, a),
        ("start", 1, a + one),
        *ends(2, b),
        *ends(3, c),
        ("finish", 1, []),
        *ends(4, b),
        *ends(5, d),
        *ends(6, c),
        ("start", 7, a + one),
    ]
    return case("locked_oldest", 2, 8, calls)


def locked_split(rng):
    """Return a locked node that another request splits; neither part may be evicted before the lock is released."""
    a, b, c, d, one = tokens(rng, 4, 4, 4, 6, 1)
    calls = [
        *ends(0, a + b),
        ("start", 1, a + b + one),
        *ends(2, a + c),
        *ends(3, d),
        ("start", 4, a + b + one),
        ("abort", 4),
        ("abort", 1),
        *ends(5, c),
        *ends(6, d),
        ("start", 7, a + b + one),
    ]
    return case("locked_split", 2, 12, calls)


def rest_of_a_split(rng):
    """Return a node that is split by a later use of its first page; its rest is older than another prefix."""
    a, b, c, d, one = tokens(rng, 2, 2, 4, 2, 1)
    calls = [
        *ends(0, a + b),
        *ends(1, c),
        ("start", 2, a + one),
        ("abort", 2),
        *ends(3, d),
        ("start", 4, c + one),
        ("start", 5, a + b + one),
    ]
    return case("rest_of_a_split", 2, 8, calls)


def whole_leaf(rng):
    """Return a long leaf that is evicted as a whole although a single page would make enough room."""
    a, b, c, one = tokens(rng, 8, 4, 2, 1)
    calls = [*ends(0, a), *ends(1, b), *ends(2, c), ("start", 3, a + one), ("start", 4, b + one)]
    return case("whole_leaf", 2, 12, calls)


def large_insert(rng):
    """Return a prompt that needs the room of two leaves."""
    a, b, c, d, one = tokens(rng, 2, 2, 4, 6, 1)
    calls = [*ends(0, a), *ends(1, b), *ends(2, c), *ends(3, d, one), ("start", 4, b + one), ("start", 5, c + one)]
    return case("large_insert", 2, 10, calls)


def aborted(rng):
    """Return a request that is aborted, and one that starts before another with the same prompt has finished."""
    a, b, one = tokens(rng, 4, 4, 1)
    calls = [
        ("start", 0, a + b),
        ("abort", 0),
        ("start", 1, a + b),
        ("start", 2, a + b),
        ("finish", 1, one),
        ("start", 3, a + one),
        ("finish", 2, []),
    ]
    return case("aborted", 2, 20, calls)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield by_hand()
    yield single_tokens()
    yield same_first_token(rng)
    yield same_prompt(rng)
    yield inner_split(rng)
    yield least_recently_used(rng)
    yield chain(rng)
    yield all_locked(rng)
    yield late_abort(rng)
    yield parent_of_evicted(rng)
    yield locked_oldest(rng)
    yield locked_split(rng)
    yield rest_of_a_split(rng)
    yield whole_leaf(rng)
    yield large_insert(rng)
    yield aborted(rng)
