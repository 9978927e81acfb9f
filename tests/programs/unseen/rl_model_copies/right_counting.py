# expect: right
def rl_model_copies(algo, kl_mode, reward_kind, old_logps, engines, colocated, lora, shared_trunk):
    train = 1
    if algo == "ppo" and not shared_trunk:
        train += 1

    frozen = 0
    if reward_kind in ("model", "both"):
        frozen += 1
    if not lora:
        # with LoRA, the trainer gets both of these from its own base weights
        if kl_mode != "none":
            frozen += 1
        if old_logps == "between":
            frozen += 1

    return train, frozen, engines
