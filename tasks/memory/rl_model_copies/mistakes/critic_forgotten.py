def rl_model_copies(algo, kl_mode, reward_kind, old_logps, engines, colocated, lora, shared_trunk):
    train = 1
    frozen = 0
    if kl_mode != "none" and not lora:
        frozen += 1
    if old_logps == "between" and not lora:
        frozen += 1
    if reward_kind in ("model", "both"):
        frozen += 1
    return train, frozen, engines
