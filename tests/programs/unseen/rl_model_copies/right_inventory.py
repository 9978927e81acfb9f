# expect: right
from collections import Counter


def _inventory(algo, kl_mode, reward_kind, old_logps, engines, lora, shared_trunk):
    yield "train", "actor"
    if algo == "ppo":
        if not shared_trunk:
            yield "train", "critic"
    if reward_kind != "verifier":
        yield "frozen", "reward model"
    needs_reference = kl_mode in {"reward", "loss"}
    needs_snapshot = old_logps == "between"
    if needs_reference and not lora:
        yield "frozen", "initial actor"
    if needs_snapshot and not lora:
        yield "frozen", "actor before the first update"
    for i in range(engines):
        yield "inference", f"engine {i}"


def rl_model_copies(algo, kl_mode, reward_kind, old_logps, engines, colocated, lora, shared_trunk):
    kinds = Counter(kind for kind, _ in _inventory(algo, kl_mode, reward_kind, old_logps, engines, lora, shared_trunk))
    return kinds["train"], kinds["frozen"], kinds["inference"]
