# expect: wrong
# mistake: PPO without LoRA always gets a frozen reference, even if kl_mode is "none".
def rl_model_copies(algo, kl_mode, reward_kind, old_logps, engines, colocated, lora, shared_trunk):
    is_ppo = algo == "ppo"
    has_reward_model = reward_kind in ("model", "both")
    has_reference = (is_ppo or kl_mode != "none") and not lora
    has_snapshot = old_logps == "between" and not lora

    train_copies = 1 + int(is_ppo and not shared_trunk)
    frozen_copies = int(has_reward_model) + int(has_reference) + int(has_snapshot)
    inference_copies = engines
    return train_copies, frozen_copies, inference_copies
