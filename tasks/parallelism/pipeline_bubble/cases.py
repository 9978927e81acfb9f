"""In most cases, backward passes take longer than forward passes; in random ones, `tb` is no multiple of `tf`."""

from collections.abc import Iterator

import torch

from tasks.task import Case


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def uniform(rng, low, high):
    return low + (high - low) * float(torch.rand((), generator=rng, dtype=torch.float64))


def by_hand(name, p, m, v, t_comm, bubble_fraction, makespan, peak_inflight):
    args = {"p": p, "m": m, "v": v, "tf": 1.0, "tb": 2.0}
    args |= {"t_comm": t_comm} if t_comm else {}
    return Case(name=name, args=args, visible=True, expected=(bubble_fraction, makespan, tuple(peak_inflight)))


def literals():
    yield by_hand("plain", 4, 8, 1, 0.0, 3 / 11, 33.0, [4, 3, 2, 1])
    # 16 slots of 1.5 s and a fill of 3 slots; with transfers, a slot takes 2.5 s.
    yield by_hand("two_chunks", 4, 8, 2, 0.0, 3 / 19, 28.5, [11, 9, 7, 5])
    yield by_hand("two_chunks_transfers", 4, 8, 2, 0.5, 3 / 19, 47.5, [11, 9, 7, 5])
    yield by_hand("plain_transfers", 4, 8, 1, 0.5, 3 / 11, 44.0, [4, 3, 2, 1])
    yield by_hand("few_microbatches", 8, 3, 1, 0.0, 0.7, 30.0, [3, 3, 3, 3, 3, 3, 2, 1])
    yield by_hand("one_rank", 1, 5, 1, 0.5, 0.0, 15.0, [1])
    # 8 passes in each direction: the warm-up of the first two ranks contains all of them.
    yield by_hand("all_in_warm_up", 4, 4, 2, 0.0, 3 / 11, 16.5, [8, 8, 7, 5])


def drawn(name, rng, p, m, v=1, *, backward=(1.3, 1.9), transfer=(0.0, 0.0)):
    """Return a case; `backward` and `transfer` are ranges of tb / tf and t_comm / tf."""
    tf = uniform(rng, 0.02, 0.2)
    times = {"tf": tf, "tb": tf * uniform(rng, *backward), "t_comm": tf * uniform(rng, *transfer)}
    return Case(name=name, args={"p": p, "m": m, "v": v, **times})


def random_cases(rng):
    p = randint(rng, 5, 9)
    yield drawn("plain_drawn", rng, p, 3 * p + randint(rng, 1, 4), transfer=(0.1, 0.2))
    yield drawn("two_ranks", rng, 2, randint(rng, 4, 9), transfer=(0.1, 0.2))
    yield drawn("slow_forward", rng, p, 2 * p + randint(rng, 1, 4), backward=(0.5, 0.8))
    yield drawn("fewer_than_ranks", rng, p, randint(rng, 2, p - 2), transfer=(0.1, 0.2))
    yield drawn("interleaved", rng, p, 3 * p, randint(rng, 3, 5))
    yield drawn("interleaved_transfers", rng, p, 2 * p, randint(rng, 3, 5), transfer=(0.1, 0.2))
    yield drawn("interleaved_once", rng, p, p, randint(rng, 2, 4), backward=(0.5, 0.8), transfer=(0.1, 0.2))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield from random_cases(rng)
