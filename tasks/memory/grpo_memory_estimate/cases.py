"""The cases by hand are the calculations that an interviewer does on paper for 7e9 parameters."""

from collections.abc import Iterator

import torch

from tasks.task import Case

PURE_BF16 = {"train": 2, "grad": 2, "master": 0, "m": 2, "v": 2, "ref": 2, "rm": 2, "rollout": 2}
MIXED = {"train": 2, "grad": 2, "master": 4, "m": 4, "v": 4, "ref": 2, "rm": 2, "rollout": 2}
MIXED_FP32_GRADS = {**MIXED, "grad": 4}
ALL_DIFFERENT = {"train": 2, "grad": 4, "master": 4.5, "m": 1, "v": 3, "ref": 1.5, "rm": 5, "rollout": 0.5}


def randint(rng, low, high):
    return int(torch.randint(low, high + 1, (), generator=rng))


def parameters(rng):
    """Return a number of parameters from half a billion to 72 billion, not rounded, like a real one."""
    return randint(rng, 500, 72_000) * 1_000_003


def result(peak_gb, *, rollout=0.0, kv_pool=0.0, **train):
    empty = {"weights": 0.0, "grads": 0.0, "optimizer": 0.0, "ref": 0.0, "rm": 0.0}
    phases = {"rollout": {"rollout": rollout, "kv_pool": kv_pool}, "train": {**empty, **train}}
    return {"phases": phases, "peak_gb": peak_gb}


def seven_billion(name, bytes_per_param, roles, expected, **more):
    args = {"n_params": 7_000_000_000, "bytes_per_param": bytes_per_param, "roles": roles, **more}
    return Case(name=name, args=args, expected=expected, visible=True)


def by_hand():
    """Yield the cases by hand: 7e9 parameters at 2 bytes are 14 GB."""
    trainer = ("actor", "ref", "rm")
    full = {"weights": 14.0, "grads": 14.0, "optimizer": 28.0, "ref": 14.0, "rm": 14.0}
    yield seven_billion("pure_bf16", PURE_BF16, trainer, result(84.0, **full))
    yield seven_billion(
        "frozen_offloaded", PURE_BF16, trainer, result(56.0, **{**full, "ref": 0.0, "rm": 0.0}), offload=("ref", "rm")
    )
    yield seven_billion(
        "optimizer_offloaded",
        PURE_BF16,
        trainer,
        result(28.0, weights=14.0, grads=14.0),
        offload=("ref", "rm", "optimizer"),
    )
    yield seven_billion("mixed_precision", MIXED, trainer, result(140.0, **{**full, "optimizer": 84.0}))
    everything = {**full, "grads": 28.0, "optimizer": 84.0, "rollout": 14.0}
    yield seven_billion(
        "nothing_released", MIXED_FP32_GRADS, (*trainer, "rollout"), result(168.0, **everything), colocate_phases=False
    )


def drawn(name, rng, bytes_per_param, **more):
    return Case(name=name, args={"n_params": parameters(rng), "bytes_per_param": bytes_per_param, **more})


def random_cases(rng):
    """Yield the cases with a random number of parameters, number of ranks and pool size."""
    everything = ("rollout", "rm", "actor", "ref")
    dp = 2 ** randint(rng, 1, 6)
    pool = randint(rng, 9, 40) / 8
    yield drawn("taking_turns", rng, MIXED, roles=everything, kv_pool_gb=pool)
    yield drawn("generation_peaks", rng, MIXED, roles=everything, zero_stage=3, dp=64, kv_pool_gb=2500.5)
    yield drawn("verifier_rewards", rng, MIXED, roles=("actor", "rollout"), kv_pool_gb=pool, colocate_phases=False)
    yield drawn("separate_generator", rng, MIXED_FP32_GRADS, roles=("rollout",), kv_pool_gb=pool)
    yield drawn("separate_trainer", rng, MIXED, roles=("actor", "ref"), zero_stage=2, kv_pool_gb=pool)
    yield drawn("stage_one", rng, MIXED, roles=everything, zero_stage=1, dp=dp)
    yield drawn("stage_two", rng, MIXED_FP32_GRADS, roles=everything, zero_stage=2, dp=dp)
    yield drawn("stage_three", rng, MIXED, roles=everything, zero_stage=3, dp=dp)
    yield drawn("replicas_unsharded", rng, MIXED, roles=("actor",), dp=dp)
    yield drawn("all_different", rng, ALL_DIFFERENT, roles=everything, zero_stage=1, dp=dp, offload=("rm",))
    yield drawn("master_copy_offloaded", rng, ALL_DIFFERENT, roles=("actor", "ref", "rm"), offload=("optimizer",))


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from by_hand()
    yield from random_cases(rng)
