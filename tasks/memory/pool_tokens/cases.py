"""Pools hold a random whole number of tokens plus 0.7 or 0.3, so that rounding errors cannot decide a case."""

from collections.abc import Iterator

import torch

from tasks.task import Case


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def eight_billion(name, expected, **more):
    args = {"gpu_gb": 80.0, "util": 0.9, "weight_gb": 16.06, "overhead_gb": 4.0, "kv_per_tok": 131072, **more}
    return Case(name=name, args=args, expected=expected, visible=True)


def drawn(name, rng, engine, tokens):
    """Return a case whose weights take the memory that a pool of this many tokens leaves."""
    gpu_gb, util, overhead_gb = randint(rng, 141, 192), randint(rng, 80, 92) / 100, randint(rng, 30, 60) / 10
    kv_per_tok = 1024 * randint(rng, 50, 130)
    share = util * (gpu_gb - overhead_gb) if engine == "sglang" else util * gpu_gb - overhead_gb
    args = {"gpu_gb": gpu_gb, "util": util, "weight_gb": share - tokens * kv_per_tok / 1e9}
    return Case(name=name, args={**args, "overhead_gb": overhead_gb, "kv_per_tok": kv_per_tok, "engine": engine})


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    # 72 - 16.06 - 4 = 51.94 GB; 0.9 * 76 - 16.06 = 52.34 GB.
    yield eight_billion("share_of_total", (396270, 24766))
    yield eight_billion("share_of_free", (399322, 24957), engine="sglang")
    yield eight_billion("weights_too_large", (0, 0), weight_gb=70.0)
    yield eight_billion("too_little_free", (0, 0), weight_gb=70.0, engine="sglang")
    # 0.9 * 24 - 16.06 - 5.539 = 0.001 GB: 7 tokens, no block.
    yield eight_billion("less_than_a_block", (7, 0), gpu_gb=24.0, overhead_gb=5.539)
    yield drawn("total_drawn", rng, "vllm", 16 * randint(rng, 10_000, 90_000) + 15.7)
    yield drawn("free_drawn", rng, "sglang", 16 * randint(rng, 10_000, 90_000) + 15.3)
