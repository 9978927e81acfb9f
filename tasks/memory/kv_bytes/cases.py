"""The cases by hand are well-known models; the random ones have unusual sizes, so that no factor cancels."""

from collections.abc import Iterator

import torch

from tasks.task import Case


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def literal(name, expected, L, n_kv, d_h, **more):
    args = {"L": L, "n_kv": n_kv, "d_h": d_h, "bytes": 2, "tokens": 1, **more}
    return Case(name=name, args=args, expected=expected, visible=True)


def by_hand():
    """Yield 2 * layers * heads * dimension * 2 bytes, or layers * (latent + rope) * 2 bytes."""
    yield literal("all_heads", 524288.0, 32, 32, 128)
    yield literal("eight_heads", 131072.0, 32, 8, 128)
    yield literal("four_heads_of_28_layers", 57344.0, 28, 4, 128)
    yield literal("context_of_128k", 40 * 2.0**30, 80, 8, 128, tokens=131072)
    yield literal("heads_split", 40960.0, 80, 8, 128, tp=8)
    yield literal("heads_replicated", 16384.0, 32, 8, 128, tp=16)
    yield literal("latent", 70272.0, 61, 0, 0, mla=(512, 64))
    # 3 layers of 5 numbers, and 5 layers of 2 * 3, at half a byte or three quarters of a byte each.
    yield literal("half_a_byte_left", 7.5, 3, 0, 0, bytes=0.5, mla=(3, 2))
    yield literal("six_bits", 22.5, 5, 1, 3, bytes=0.75)


def shape(rng):
    return {"L": randint(rng, 20, 90), "d_h": 8 * randint(rng, 6, 20), "tokens": randint(rng, 1000, 90_000)}


def four_bits(rng):
    tp = 2 ** randint(rng, 1, 2)
    args = {**shape(rng), "n_kv": tp * randint(rng, 2, 5), "bytes": 0.5, "tp": tp}
    return Case(name="four_bits", args=args)


def one_head(rng):
    args = {**shape(rng), "n_kv": 1, "bytes": 1, "tp": 2 ** randint(rng, 1, 3)}
    return Case(name="one_head", args=args)


def latent_on_many_ranks(rng):
    args = {**shape(rng), "n_kv": 128, "bytes": 1, "tp": 2 ** randint(rng, 2, 4)}
    return Case(name="latent_on_many_ranks", args={**args, "mla": (64 * randint(rng, 6, 10), 32 * randint(rng, 1, 3))})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield four_bits(rng)
    yield one_head(rng)
    yield latent_on_many_ranks(rng)
