"""Some numbers of ranks are not powers of two, so that logarithms must be rounded up."""

from collections.abc import Iterator

import torch

from tasks.task import Case


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def literal(name, expected, op, n, **more):
    args = {"op": op, "bytes": 14e9, "n": n, "bw": 400e9, **more}
    return Case(name=name, args=args, visible=True, expected=expected)


def by_hand():
    """Yield collectives of 14 GB at 400 GB/s: one pass over a link takes 0.035 s."""
    yield literal("gradients_of_seven_billion", 0.06125, "all_reduce", 8)
    yield literal("gathered", 0.030625, "all_gather", 8)
    yield literal("weights_broadcast", 0.035, "broadcast", 8)
    yield literal("up_and_down", 0.07, "all_reduce", 8, algo="tree")
    yield literal("one_rank", 0.0, "broadcast", 1, alpha=1e-3)
    yield literal("one_rank_as_a_tree", 0.0, "all_reduce", 1, alpha=1e-3, algo="tree")
    # 7 steps of 2 ms in addition to 0.030625 s, and 3 levels of 2 ms in addition to 0.035 s.
    yield literal("scattered_slowly", 0.044625, "reduce_scatter", 8, alpha=2e-3)
    yield literal("deep_tree", 0.041, "reduce", 8, alpha=2e-3, algo="tree")


def drawn(name, rng, op, **more):
    """Return a case in which latency is a large part of the time."""
    bw = randint(rng, 25, 450) * 1e9
    size = randint(rng, 40, 90) * 1e-3 * bw
    alpha = randint(rng, 2, 5) * 1e-3
    args = {"op": op, "bytes": size, "n": 2 * randint(rng, 5, 7) + 1, "bw": bw, "alpha": alpha}
    return Case(name=name, args={**args, **more})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield drawn("ring_all_reduce", rng, "all_reduce")
    yield drawn("ring_all_gather", rng, "all_gather")
    yield drawn("ring_reduce_scatter", rng, "reduce_scatter")
    yield drawn("ring_all_to_all", rng, "all_to_all")
    yield drawn("chain_reduce", rng, "reduce")
    yield drawn("chain_broadcast", rng, "broadcast")
    yield drawn("tree_all_reduce", rng, "all_reduce", algo="tree")
    yield drawn("tree_broadcast", rng, "broadcast", algo="tree")
