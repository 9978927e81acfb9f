"""There are few different tokens, so that prefixes coincide; each scenario tests one rule, and one is random."""

from collections.abc import Iterator

import torch

from tasks.task import Case


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def tokens(rng, count, words=1000):
    return torch.randint(10, 10 + words, (count,), generator=rng).tolist()


def case(name, num_blocks, block_size, calls, **more):
    return Case(name=name, args={"num_blocks": num_blocks, "block_size": block_size, "calls": calls}, **more)


def by_hand():
    """Return the statement's trace."""
    calls = [
        ("allocate", "A", [1, 2, 3]),
        ("allocate", "B", [1, 2, 4]),
        ("append", "A", 5),
        ("append", "A", 6),
        ("append", "B", 7),
        ("append", "B", 8),
        ("free", "A"),
        ("allocate", "C", [1, 2, 3, 5, 9]),
    ]
    tables = [[0, 1], [0, 2], [0, 1], [0, 1, 3], [0, 2], [0, 2], [], [0, 1, 3]]
    expected = {
        "results": [0, 2, 1, 1, 1, 0, -2, 4],
        "tables": [(table + [-1] * 4)[:4] for table in tables],
        "free": [2, 1, 1, 0, 0, 0, 2, 0],
    }
    return case("by_hand", 4, 2, calls, visible=True, expected=expected)


def forked():
    """Return two copies of a sequence of three tokens in blocks of two: only the second block is partly filled."""
    calls = [
        ("allocate", "A", [1, 2, 3]),
        ("fork", "A", "B"),
        ("append", "B", 4),
        ("append", "A", 5),
        ("free", "A"),
        ("append", "B", 6),
        ("free", "B"),
    ]
    tables = [[0, 1], [0, 1], [0, 2], [0, 1], [], [0, 2, 3], []]
    expected = {
        "results": [0, -2, 1, 1, -2, 1, -2],
        "tables": [(table + [-1] * 5)[:5] for table in tables],
        "free": [3, 3, 2, 2, 3, 2, 5],
    }
    return case("forked", 5, 2, calls, visible=True, expected=expected)


def same_prompt(rng):
    """Return equal prompts that end at a block boundary; the second prompt's last block is computed again."""
    size = randint(rng, 2, 5)
    prompt = tokens(rng, 3 * size)
    calls = [
        ("allocate", "A", prompt),
        ("allocate", "B", prompt),
        ("free", "A"),
        ("free", "B"),
        ("allocate", "C", [*prompt, 1]),
        ("allocate", "D", prompt[: 2 * size]),
    ]
    return case("same_prompt", 12, size, calls)


def same_block_elsewhere(rng):
    """Return prompts whose second blocks are equal but whose first blocks differ."""
    size = randint(rng, 2, 5)
    block = tokens(rng, size)
    calls = [
        ("allocate", "A", [*[1] * size, *block, 7]),
        ("allocate", "B", [*[2] * size, *block, 7]),
        ("allocate", "C", [*block, 7]),
    ]
    return case("same_block_elsewhere", 12, size, calls)


def partly_filled(rng):
    """Return a prompt that extends another one whose last block is not full."""
    size = randint(rng, 3, 5)
    prompt = tokens(rng, 2 * size - 1)
    calls = [
        ("allocate", "A", prompt),
        ("allocate", "E", prompt),
        ("free", "E"),
        ("allocate", "B", [*prompt[: size + 1], 1, 1, 1, 1, 1]),
        ("append", "A", 5),
        ("allocate", "C", [*prompt, 5, 6]),
        ("free", "A"),
        ("free", "C"),
        ("allocate", "D", [*prompt, 5, 8]),
    ]
    return case("partly_filled", 12, size, calls)


def oldest_goes_first(rng):
    """Return a full pool in which a long prompt was freed before a short one and is partly overwritten."""
    size = randint(rng, 2, 4)
    long, short = tokens(rng, 4 * size), tokens(rng, 2 * size)
    calls = [
        ("allocate", "A", long),
        ("allocate", "B", short),
        ("free", "A"),
        ("free", "B"),
        ("allocate", "C", [1] * size * 2),
        ("allocate", "D", [*long, 1]),
        ("free", "C"),
        ("free", "D"),
        ("allocate", "E", [*short, 1]),
        ("allocate", "F", [*long[: 2 * size], 1]),
    ]
    return case("oldest_goes_first", 7, size, calls)


def too_few(rng):
    """Return a pool that has enough free blocks only if blocks with cache hits are counted as free."""
    size = randint(rng, 2, 4)
    prompt = tokens(rng, 2 * size)
    calls = [
        ("allocate", "A", prompt),
        ("allocate", "B", [1] * size),
        ("free", "A"),
        ("allocate", "C", [*prompt, *[3] * size * 2]),
        ("allocate", "D", [*prompt, 3]),
        ("allocate", "E", [4] * size * 2),
        ("free", "D"),
        ("allocate", "F", [4] * size * 3),
    ]
    return case("too_few", 4, size, calls)


def everything_once(words):
    """Return calls that test each rule in a pool of 17 blocks of three tokens, all of them free."""
    a, b, c, d = words
    yield from [("allocate", "A", [a] * 4), ("fork", "A", "B"), ("append", "B", b), ("append", "A", c)]
    yield from [("allocate", "C", [a] * 4), ("free", "A"), ("free", "B"), ("free", "C")]
    yield from [("allocate", "A", [b, b]), ("append", "A", b), ("free", "A"), ("allocate", "B", [b, b, b, c])]
    yield from [("free", "B"), ("allocate", "A", [c] * 6), ("allocate", "B", [c] * 6), ("allocate", "C", [c] * 7)]
    yield from [("free", "B"), ("free", "A"), ("free", "C"), ("allocate", "A", [d] * 27), ("free", "A")]
    yield from [("allocate", "B", [d] * 27 + [a] * 27), ("allocate", "A", [d] * 27), ("allocate", "B", [d] * 29)]
    yield from [("free", "A"), ("free", "B"), ("allocate", "C", [a] * 51), ("free", "C"), ("allocate", "A", [d] * 28)]
    yield from [("free", "A"), ("allocate", "B", [b] * 3), ("fork", "B", "C"), ("append", "C", c)]


def random_trace(rng):
    """Return calls for eight names; those of the same parity use the same token, so that prefixes often coincide."""
    calls = []
    for _ in range(70):
        kind, number = randint(rng, 0, 99), randint(rng, 0, 7)
        seq, token = f"s{number}", number % 2
        if kind < 35:
            calls.append(("allocate", seq, [token] * randint(rng, 1, 13) + [7] * randint(rng, 0, 1)))
        elif kind < 70:
            calls.append(("append", seq, token if randint(rng, 0, 4) else 7))
        elif kind < 76:
            calls.append(("fork", seq, f"s{(number + 2 * randint(rng, 1, 3)) % 8}"))
        else:
            calls.append(("free", seq))
    calls += [("free", f"s{number}") for number in range(8)]
    words = (10 + torch.randperm(90, generator=rng)[:4]).tolist()
    return case("random_trace", 17, 3, [*calls, *everything_once(words)])


def full_block_shared():
    """Return two copies of a sequence whose last block is full: each takes a new block, and nothing is copied."""
    calls = [
        ("allocate", "A", [1, 2]),
        ("fork", "A", "B"),
        ("append", "B", 3),
        ("append", "A", 4),
        ("free", "A"),
        ("append", "B", 5),
    ]
    tables = [[0], [0], [0, 1], [0, 2], [], [0, 1]]
    expected = {
        "results": [0, -2, 1, 1, -2, 1],
        "tables": [(table + [-1] * 5)[:5] for table in tables],
        "free": [4, 4, 3, 2, 3, 3],
    }
    return case("full_block_shared", 5, 2, calls, visible=True, expected=expected)


def failed_copy():
    """Return an append that must copy a shared block and finds no free block; later, no copy is needed."""
    calls = [
        ("allocate", "A", [1, 2, 3]),
        ("fork", "A", "B"),
        ("append", "B", 4),
        ("append", "A", 5),
        ("free", "A"),
        ("append", "B", 6),
        ("append", "B", 7),
    ]
    tables = [[0, 1], [0, 1], [0, 1], [0, 1], [], [0, 1], [0, 1]]
    expected = {
        "results": [0, -2, 0, 0, -2, 1, 0],
        "tables": [(table + [-1] * 2)[:2] for table in tables],
        "free": [0] * 7,
    }
    return case("failed_copy", 2, 2, calls, visible=True, expected=expected)


def miss_before_hit():
    """Return a prompt whose first block has left the cache while its second is still there: there is no hit."""
    calls = [
        ("allocate", "A", [1, 1]),
        ("allocate", "B", [1, 1]),
        ("append", "B", 2),
        ("append", "B", 2),
        ("free", "A"),
        ("allocate", "D", [7] * 7),
        ("free", "D"),
        ("allocate", "C", [1, 1, 2, 2, 9]),
    ]
    tables = [[0], [1], [1, 2], [1, 2], [], [3, 4, 5, 0], [], [0, 5, 4]]
    expected = {
        "results": [0, 0, 1, 1, -2, 0, -2, 0],
        "tables": [(table + [-1] * 6)[:6] for table in tables],
        "free": [5, 4, 3, 3, 4, 0, 4, 1],
    }
    return case("miss_before_hit", 6, 2, calls, visible=True, expected=expected)


def child_of_a_copy():
    """Return a prompt whose two hits were filled by different sequences: the first by A, the second by B."""
    calls = [
        ("allocate", "A", [1, 1]),
        ("allocate", "B", [1, 1]),
        ("append", "B", 2),
        ("append", "B", 2),
        ("allocate", "C", [1, 1, 2, 2, 9]),
    ]
    tables = [[0], [1], [1, 2], [1, 2], [0, 2, 3]]
    expected = {
        "results": [0, 0, 1, 1, 4],
        "tables": [(table + [-1] * 5)[:5] for table in tables],
        "free": [4, 3, 2, 2, 1],
    }
    return case("child_of_a_copy", 5, 2, calls, visible=True, expected=expected)


def taken_then_filled():
    """Return a sequence that takes a block out of the cache and computes the same tokens that the block contained.

    The old block has left the cache before the new one is filled, so the new one enters.
    """
    calls = [
        ("allocate", "A", [1, 1, 7]),
        ("allocate", "B", [1, 1]),
        ("append", "B", 2),
        ("append", "B", 2),
        ("free", "A"),
        ("allocate", "C", [8] * 7),
        ("free", "C"),
        ("free", "B"),
        ("allocate", "D", [1, 1, 2, 2, 3, 3, 4, 4, 5]),
        ("free", "D"),
        ("allocate", "E", [1, 1, 2, 2, 9]),
    ]
    tables = [[0, 1], [2], [2, 3], [2, 3], [], [4, 5, 1, 0], [], [], [0, 1, 5, 4, 3], [], [0, 1, 2]]
    expected = {
        "results": [0, 0, 1, 1, -2, 0, -2, -2, 0, -2, 4],
        "tables": [(table + [-1] * 6)[:6] for table in tables],
        "free": [4, 3, 2, 2, 4, 0, 4, 6, 1, 6, 3],
    }
    return case("taken_then_filled", 6, 2, calls, visible=True, expected=expected)


def failed_allocate():
    """Return a request that hits two of four free blocks and needs three new ones, so the queue must stay as it is."""
    calls = [
        ("allocate", "A", [1, 1, 1, 1]),
        ("free", "A"),
        ("allocate", "B", [2, 2, 2, 2]),
        ("free", "B"),
        ("allocate", "C", [1, 1, 1, 1, 3, 3, 3, 3, 3, 3]),
        ("allocate", "D", [8, 8]),
        ("allocate", "E", [1, 1, 5]),
    ]
    tables = [[0, 1], [], [2, 3], [], [], [1], [0, 3]]
    expected = {
        "results": [0, -2, 0, -2, -1, 0, 2],
        "tables": [(table + [-1] * 4)[:4] for table in tables],
        "free": [2, 4, 2, 4, 4, 3, 1],
    }
    return case("failed_allocate", 4, 2, calls, visible=True, expected=expected)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield by_hand()
    yield forked()
    yield same_prompt(rng)
    yield same_block_elsewhere(rng)
    yield partly_filled(rng)
    yield oldest_goes_first(rng)
    yield too_few(rng)
    yield random_trace(rng)
    yield full_block_shared()
    yield failed_copy()
    yield miss_before_hit()
    yield child_of_a_copy()
    yield taken_then_filled()
    yield failed_allocate()
