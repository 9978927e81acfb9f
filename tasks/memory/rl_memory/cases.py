"""The cases by hand are the calculations of an interview for 7e9 parameters; in the others, all sizes differ."""

from collections.abc import Iterator

import torch

from tasks.task import Case

SEVEN = {"body": 6_000_000_000, "embedding": 500_000_000, "tied": False, "layers": 28, "kv_heads": 4, "head_dim": 128}
OPTS = {
    "optimizer": "mixed",
    "lora": 0,
    "zero_stage": 0,
    "dp": 1,
    "beta": 0.04,
    "reward": "model",
    "engine": "separate",
    "engine_dtype": "bf16",
    "kv_dtype": "bf16",
    "kv_tokens": 0,
}
RULE = {"beta": 0.0, "reward": "rule"}
# 2 * 28 layers * 4 heads * 128 values * 2 bytes
KV_BYTES = 57344.0


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def by_hand(name, opts, model=None, kv_bytes_per_token=KV_BYTES, **items):
    """Return a case whose items are given in GB; the others are 0."""
    expected = dict.fromkeys(
        ("weights", "grads", "optimizer", "reference", "reward_model", "engine", "kv_cache", "total"), 0.0
    )
    expected |= {**items, "kv_bytes_per_token": kv_bytes_per_token}
    args = {"params": {**SEVEN, **(model or {})}, "opts": {**OPTS, **opts}}
    return Case(name=name, args=args, expected=expected, visible=True)


def literals():
    actor = {"weights": 14.0, "grads": 14.0, "optimizer": 84.0}
    frozen = {"reference": 14.0, "reward_model": 14.0}
    yield by_hand("mixed_precision", {}, **actor, **frozen, total=140.0)
    yield by_hand("pure_bf16", {"optimizer": "bf16"}, **{**actor, "optimizer": 28.0}, **frozen, total=84.0)
    yield by_hand("no_penalty", RULE, **actor, total=112.0)
    # The adapters take 2 + 2 + 12 bytes per parameter, 0.64 GB in total.
    adapters = {"weights": 14.08, "grads": 0.08, "optimizer": 0.48}
    yield by_hand("adapters", {"lora": 40_000_000, "reward": "rule"}, **adapters, total=14.64)
    sharded = {"weights": 1.75, "grads": 1.75, "optimizer": 10.5}
    yield by_hand("fully_sharded", {**RULE, "zero_stage": 3, "dp": 8}, **sharded, total=14.0)
    one_gpu = {**RULE, "engine": "colocated", "kv_tokens": 32768}
    cache = {"kv_cache": 1.879048192}
    yield by_hand("colocated", one_gpu, **actor, engine=14.0, **cache, total=127.879048192)
    # The body in fp8 takes 6 GB, and the only embedding matrix 1 GB in bf16.
    actor = {"weights": 13.0, "grads": 13.0, "optimizer": 78.0}
    half = {"engine": 7.0, "kv_cache": 0.939524096}
    fp8 = {"engine_dtype": "fp8", "kv_dtype": "fp8"}
    yield by_hand(
        "fp8_and_tied", {**one_gpu, **fp8}, {"tied": True}, KV_BYTES / 2, **actor, **half, total=111.939524096
    )


def model(rng, *, tied):
    """Return a model with a random number of parameters, like a real one."""
    return {
        "body": randint(rng, 900, 60_000) * 1_000_003,
        "embedding": randint(rng, 200, 1200) * 1_000_033,
        "tied": tied,
        "layers": randint(rng, 17, 80),
        "kv_heads": randint(rng, 3, 16),
        "head_dim": 16 * randint(rng, 4, 16),
    }


def drawn(name, rng, *, tied=False, **opts):
    kv_tokens = randint(rng, 20_000, 90_000)
    return Case(name=name, args={"params": model(rng, tied=tied), "opts": {**OPTS, "kv_tokens": kv_tokens, **opts}})


def random_cases(rng):
    dp = randint(rng, 3, 64)
    adapters = randint(rng, 20, 300) * 1_000_003
    one_gpu = {"engine": "colocated"}
    yield drawn("stage_zero", rng, dp=dp, optimizer="bf16", **one_gpu)
    yield drawn("stage_one", rng, dp=dp, zero_stage=1)
    yield drawn("stage_two", rng, dp=dp, zero_stage=2, reward="rule", tied=True)
    yield drawn("stage_three", rng, dp=dp, zero_stage=3, engine_dtype="fp8", **one_gpu)
    yield drawn("one_rank", rng, zero_stage=3, beta=0.0, kv_dtype="fp8", **one_gpu)
    yield drawn("adapters_sharded", rng, dp=dp, zero_stage=3, lora=adapters, tied=True, **one_gpu)
    yield drawn("adapters_in_bf16", rng, dp=dp, zero_stage=1, lora=adapters, optimizer="bf16", engine_dtype="fp8")
    yield drawn("tiny_penalty", rng, beta=1e-6, reward="rule", engine_dtype="fp8", tied=True, **one_gpu)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield from random_cases(rng)
