"""The cases by hand use the paper's model with 7.5e9 parameters; the random ones never divide evenly."""

from collections.abc import Iterator

import torch

from tasks.task import Case


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def paper(name, stage, **sizes):
    args = {"psi": 7_500_000_000, "N": 64, "stage": stage, "p_bytes": 2, "g_bytes": 2, "opt_bytes": 12}
    passes = 3 if stage == 3 else 2
    # 7.5e9 * 63 / 64 = 7,382,812,500 elements in each pass.
    expected = {**sizes, "comm_elements": passes * 7_382_812_500.0}
    return Case(name=name, args=args, visible=True, expected=expected)


def by_hand():
    """Yield four stages of one model and the corner cases; a shard of 7.5e9 over 64 is 117,187,500 elements."""
    full, shard = 7_500_000_000, 117_187_500
    yield paper("plain", 0, params=2 * full, grads=2 * full, opt=12 * full)
    yield paper("optimizer_sharded", 1, params=2 * full, grads=2 * full, opt=12 * shard)
    yield paper("gradients_sharded", 2, params=2 * full, grads=2 * shard, opt=12 * shard)
    yield paper("all_sharded", 3, params=2 * shard, grads=2 * shard, opt=12 * shard)
    ten = {"psi": 10, "stage": 3, "p_bytes": 2, "g_bytes": 4, "opt_bytes": 12}
    shards_of_three = {"params": 6, "grads": 12, "opt": 36, "comm_elements": 22.5}
    yield Case(name="ten_on_four", args={**ten, "N": 4}, visible=True, expected=shards_of_three)
    one_each = {"params": 2, "grads": 4, "opt": 12, "comm_elements": 3 * 10 * 15 / 16}
    yield Case(name="more_ranks_than_elements", args={**ten, "N": 16}, expected=one_each)
    alone = {"params": 20, "grads": 40, "opt": 120, "comm_elements": 0.0}
    yield Case(name="one_rank", args={**ten, "N": 1}, expected=alone)


def uneven(rng, stage):
    """Return a model size that leaves a remainder, with byte widths that are all different."""
    ranks = 2 ** randint(rng, 2, 6)
    psi = ranks * randint(rng, 1_000_000, 90_000_000) + randint(rng, 1, ranks // 2)
    return {"psi": psi, "N": ranks, "stage": stage, "p_bytes": 2, "g_bytes": 4, "opt_bytes": randint(rng, 5, 10)}


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield Case(name="uneven_one", args=uneven(rng, 1))
    yield Case(name="uneven_two", args=uneven(rng, 2))
    yield Case(name="uneven_three", args=uneven(rng, 3))
