# expect: wrong
# mistake: With "between", a frozen snapshot of the actor is counted only if there are no engines, because an engine is taken to still hold the weights from before the first update.
def rl_model_copies(algo, kl_mode, reward_kind, old_logps, engines, colocated, lora, shared_trunk):
    trained = ["actor"]
    frozen = []

    if algo == "ppo" and not shared_trunk:
        trained.append("critic")

    if kl_mode in ("reward", "loss") and not lora:
        frozen.append("reference")

    if reward_kind in ("model", "both"):
        frozen.append("reward_model")

    if old_logps == "between" and not lora and engines == 0:
        frozen.append("old_actor")

    return len(trained), len(frozen), engines
