"""Random batches are drawn until the number of microbatches depends on what each case is about."""

from collections.abc import Iterator

import torch

from tasks.task import Case, Relation


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def spread(samples, lengths, count):
    """Return groups of these samples, longest first, each in the group with the fewest tokens."""
    groups = [[] for _ in range(count)]
    for sample in sorted(samples, key=lambda i: (-lengths[i], i)):
        min(groups, key=lambda group: sum(lengths[i] for i in group)).append(sample)
    return groups


def largest(groups, lengths):
    return max(sum(lengths[i] for i in group) for group in groups)


def counts_of(lengths, ranks, cap):
    """Return the smallest number of microbatches of each rank by itself, and the tokens of each rank."""
    shares = spread(range(len(lengths)), lengths, ranks)
    numbers = range(1, len(lengths) + 1)
    own = [next(n for n in numbers if largest(spread(share, lengths, n), lengths) <= cap) for share in shares]
    return own, [sum(lengths[i] for i in share) for share in shares]


def draw_lengths(rng):
    """Return different lengths with a long tail, in random order."""
    samples = randint(rng, 34, 38)
    sizes = (4.5 * torch.rand(samples, generator=rng)).exp() + 20 + 2 * torch.arange(samples)
    lengths = torch.unique(sizes.long())
    return lengths[torch.randperm(len(lengths), generator=rng)].tolist()


SCALED = Relation(
    name="three_times_as_long",
    says="Three times as many tokens everywhere change nothing.",
    change=lambda args: {**args, "lengths": [3 * x for x in args["lengths"]], "cap": 3 * args["cap"]},
)
REVERSED = Relation(
    name="samples_reversed",
    says="The order of samples with different lengths does not matter.",
    change=lambda args: {**args, "lengths": args["lengths"][::-1]},
    expect=lambda out: {**out, "rank": out["rank"].flip(0), "microbatch": out["microbatch"].flip(0)},
)


def case(name, lengths, ranks, cap, **more):
    return Case(name=name, args={"lengths": lengths, "ranks": ranks, "cap": cap}, **more)


def by_hand(name, lengths, ranks, cap, plan):
    rank, microbatch = [-1] * len(lengths), [-1] * len(lengths)
    for place, held in enumerate(plan):
        for number, micro in enumerate(held):
            for sample in micro:
                rank[sample], microbatch[sample] = place, number
    counts = [len(held) for held in plan]
    expected = {"rank": rank, "microbatch": microbatch, "microbatches": counts, "is_refused": False}
    return case(name, lengths, ranks, cap, visible=True, expected=expected)


def refused(name, lengths, ranks, cap):
    nowhere = [-1] * len(lengths)
    expected = {"rank": nowhere, "microbatch": nowhere, "microbatches": [0] * ranks, "is_refused": True}
    return case(name, lengths, ranks, cap, visible=True, expected=expected)


def literals():
    yield by_hand("five_samples", [6, 5, 4, 3, 2], 2, 10, [[[0], [3, 4]], [[1], [2]]])
    # From the longest to the shortest, these are 9, 7, 6, 5, 4: rank 0 gets 9 and 5, and rank 1 gets 7, 6 and 4.
    yield by_hand("out_of_order", [4, 9, 6, 5, 7], 2, 20, [[[1, 3]], [[4, 2, 0]]])
    # Exactly the cap is allowed, both for a sample and for a microbatch.
    yield by_hand("exactly_the_cap", [6, 3, 3], 1, 6, [[[0], [1, 2]]])
    # 15 tokens would fit into two microbatches of 8, but two samples of 5 do not fit into one.
    yield by_hand("three_of_five", [5, 5, 5], 1, 8, [[[0], [1], [2]]])
    yield by_hand("equal_lengths", [4, 4, 4, 4, 4, 4], 3, 4, [[[0], [3]], [[1], [4]], [[2], [5]]])
    # Both ranks have 6 tokens when the last sample is distributed.
    yield by_hand("equal_ranks", [2, 6, 2, 2, 1], 2, 6, [[[1], [4]], [[0, 3], [2]]])
    # The worst case of the greedy rule on 3 ranks: 11 tokens, although 9 are possible.
    yield by_hand("not_optimal", [5, 5, 4, 4, 3, 3, 3], 3, 11, [[[0, 4, 6]], [[1, 5]], [[2, 3]]])
    yield by_hand("fewer_samples_than_ranks", [3, 7], 4, 9, [[[1]], [[0]], [[]], [[]]])
    yield refused("one_too_long", [3, 9, 2], 2, 8)


def drawn(name, rng, parts, margin, is_right):
    """Return a batch whose cap is the largest microbatch for `parts` microbatches per rank, plus `margin`.

    It is drawn until `is_right` holds for the counts that the ranks need by themselves, their tokens, and the cap.
    """
    while True:
        lengths, ranks = draw_lengths(rng), 3
        shares = spread(range(len(lengths)), lengths, ranks)
        groups = {n: [group for share in shares for group in spread(share, lengths, n)] for n in range(1, 5)}
        cap = largest(groups[parts], lengths) + margin
        is_met = any(sum(lengths[i] for i in group) == cap for part in groups.values() for group in part)
        own, tokens = counts_of(lengths, ranks, cap)
        if not is_met and is_right(own, tokens, cap):
            return case(name, lengths, ranks, cap, relations=(SCALED, REVERSED))


def uneven_counts(rng):
    """Return a batch in which one rank needs three microbatches, although two would be enough for its tokens.

    It is not the rank with the most tokens.
    """

    def is_right(own, tokens, cap):
        return sorted(own) == [2, 2, 3] and own[tokens.index(max(tokens))] == 2 and max(tokens) <= 2 * cap

    return drawn("uneven_counts", rng, 2, -1, is_right)


def even_counts(rng):
    """Return a batch in which every rank needs four microbatches, as many as its tokens suggest."""

    def is_right(own, tokens, cap):
        return own == [4, 4, 4] and sum(tokens) > 3 * 3 * cap

    return drawn("even_counts", rng, 4, 1, is_right)


def one_microbatch(rng):
    return drawn("one_microbatch", rng, 1, 1, lambda own, tokens, cap: own == [1, 1, 1])


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield uneven_counts(rng)
    yield even_counts(rng)
    yield one_microbatch(rng)
