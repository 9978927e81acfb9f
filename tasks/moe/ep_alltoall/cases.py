"""In the random cases, some experts are much more popular than others, so that the busiest rank is clear."""

from collections.abc import Iterator

import torch

from tasks.task import Case

POPULAR = 20.0


def by_hand(name, expected, experts, **more):
    args = {
        "experts": torch.tensor(experts),
        "num_experts": 8,
        "hidden": 5000,
        "gpus_per_node": 2,
        "q_disp": 1,
        "q_comb": 2,
        "bw_intra": 200e9,
        "bw_inter": 50e9,
        "dedup": False,
        **more,
    }
    dispatch, combine, seconds, imbalance = expected
    results = (torch.tensor(dispatch), torch.tensor(combine), seconds, imbalance)
    return Case(name=name, args=args, visible=True, expected=results)


def literals():
    example = [[[5, 7]], [[2, 0]], [[4, 6]], [[7, 1]]]
    plain = [10000, 5000, 5000, 5000], [20000, 0, 10000, 20000], 6e-7, 1.5
    yield by_hand("example", plain, example)
    once = [5000, 10000, 10000, 5000], [20000, 10000, 10000, 20000], 3e-7, 1.5
    yield by_hand("example_dedup", once, example, dedup=True)
    # Every rank sends 6 of its 8 copies, 4 of them to the other node: 6 * 5000 bytes, and 20000 bytes at 50e9 bytes/s.
    even = [[list(range(start, 8, 2)) for start in (0, 1)] for _rank in range(4)]
    yield by_hand("even_routing", ([30000] * 4, [60000] * 4, 1.2e-6, 1.0), even)
    yield by_hand("one_rank", ([0], [0], 0.0, 1.0), [[[0, 3], [1, 2]]], num_experts=4, gpus_per_node=1)
    local = [[[2 * rank, 2 * rank + 1]] for rank in range(4)]
    yield by_hand("all_local", ([0] * 4, [0] * 4, 0.0, 1.0), local, dedup=True)


def routed(rng, ranks, tokens, k, num_experts, popular):
    """Return a random routing in which the experts in `popular` are chosen much more often than the others."""
    weights = torch.ones(num_experts)
    weights[list(popular)] = POPULAR
    return torch.multinomial(weights.expand(ranks * tokens, -1), k, generator=rng).reshape(ranks, tokens, k)


def drawn(name, rng, experts, num_experts, gpus_per_node, *, intra, inter, dedup, q_comb=2):
    """Return a case with random sizes; `intra` and `inter` are multiples of 1e9 bytes per second."""
    hidden = 256 * int(torch.randint(8, 29, (), generator=rng))
    args = {
        "experts": experts,
        "num_experts": num_experts,
        "hidden": hidden,
        "gpus_per_node": gpus_per_node,
        "q_disp": 1,
        "q_comb": q_comb,
        "bw_intra": intra * 1e9,
        "bw_inter": inter * 1e9,
        "dedup": dedup,
    }
    return Case(name=name, args=args)


def random_cases(rng):
    experts = routed(rng, 4, 16, 4, 16, popular=(4, 5, 6))
    yield drawn("one_node", rng, experts, 16, 4, intra=150, inter=50, dedup=True)
    # The popular experts are on rank 6; the network is the bottleneck.
    experts = routed(rng, 8, 12, 4, 32, popular=(24, 25, 26, 27))
    yield drawn("popular_rank", rng, experts, 32, 4, intra=160, inter=50, dedup=False)
    yield drawn("popular_rank_dedup", rng, experts, 32, 4, intra=160, inter=50, dedup=True)
    yield drawn("slow_nvlink_dedup", rng, experts, 32, 4, intra=30, inter=50, dedup=True, q_comb=4)
    # A token has more choices than a node has experts.
    experts = routed(rng, 6, 10, 8, 18, popular=(3, 4, 8))
    yield drawn("more_than_a_node", rng, experts, 18, 2, intra=60, inter=100, dedup=True)
    # On nodes with one GPU, `dedup` saves the copies for further experts on the same rank.
    yield drawn("one_gpu_per_node", rng, experts, 18, 1, intra=100, inter=60, dedup=True)
    yield drawn("one_gpu_per_node_plain", rng, experts, 18, 1, intra=100, inter=60, dedup=False)
    # Rank 0 is busy with NVLink, rank 2 with the network, and the other ranks keep their copies.
    here = [torch.arange(3 * rank, 3 * rank + 3).expand(12, -1) for rank in range(6)]
    away = 12 + torch.stack([torch.randperm(6, generator=rng)[:3] for _token in range(12)])
    experts = torch.stack([here[1], here[1], away, *here[3:]])
    yield drawn("two_busy_ranks", rng, experts, 18, 2, intra=100, inter=50, dedup=False)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield from random_cases(rng)
