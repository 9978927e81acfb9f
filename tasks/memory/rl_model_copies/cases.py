"""Each case changes a few settings of a run; in the cases that are not by hand, the number of engines is random."""

from collections.abc import Iterator

import torch

from tasks.task import Case

RUN = {
    "algo": "grpo",
    "kl_mode": "none",
    "reward_kind": "verifier",
    "old_logps": "before",
    "engines": 1,
    "colocated": False,
    "lora": False,
    "shared_trunk": False,
}
PPO = {"algo": "ppo", "kl_mode": "reward", "reward_kind": "model"}


def by_hand(name, expected, **settings):
    return Case(name=name, args={**RUN, **settings}, visible=True, expected=expected)


def literals():
    yield by_hand("all_four_roles", (2, 2, 1), **PPO)
    yield by_hand("all_four_roles_lora", (2, 1, 1), **PPO, lora=True)
    yield by_hand("verifier_only", (1, 0, 1))
    yield by_hand("same_gpus", (1, 0, 1), colocated=True)
    yield by_hand("value_head", (1, 2, 1), **PPO, shared_trunk=True)
    yield by_hand("trainer_generates", (1, 1, 0), kl_mode="loss", engines=0)
    yield by_hand("old_weights_needed", (1, 1, 1), old_logps="between")
    yield by_hand("old_adapters_needed", (1, 0, 1), old_logps="between", lora=True)


def random_cases(rng):
    def drawn(name, **settings):
        engines = int(torch.randint(3, 17, (), generator=rng))
        return Case(name=name, args={**RUN, "engines": engines, **settings})

    yield drawn("everything", algo="ppo", kl_mode="loss", reward_kind="both", old_logps="between", colocated=True)
    yield drawn("value_head_without_penalty", algo="ppo", reward_kind="model", old_logps="engine", shared_trunk=True)
    yield drawn("no_critic_to_share", kl_mode="loss", reward_kind="both", shared_trunk=True)
    yield drawn("critic_and_adapters", algo="ppo", kl_mode="loss", old_logps="between", lora=True, colocated=True)
    yield drawn("two_rewards", reward_kind="both", old_logps="engine", colocated=True)
    yield drawn("critic_and_old_weights", algo="ppo", old_logps="between")
    yield drawn("adapters_and_penalty", kl_mode="reward", reward_kind="model", lora=True)
    yield drawn("penalty_and_old_weights", kl_mode="reward", old_logps="between")
    value_head = {**PPO, "kl_mode": "loss", "shared_trunk": True}
    yield drawn("adapters_and_value_head", **value_head, old_logps="engine", lora=True)


def cases(rng: torch.Generator) -> Iterator[Case]:
    """Yield the cases; everything random is drawn from `rng`."""
    yield from literals()
    yield from random_cases(rng)
