# expect: wrong
# mistake: Two mistakes: with LoRA, a critic that shares the trunk still counts as a trained copy, and reward_kind "both" counts no reward model.
def rl_model_copies(algo, kl_mode, reward_kind, old_logps, engines, colocated, lora, shared_trunk):
    train_copies = 1
    if algo == "ppo":
        # the critic is trained in full, so it cannot live on frozen base weights
        separate_critic = not shared_trunk or lora
        train_copies += int(separate_critic)

    frozen_copies = 0
    if reward_kind == "model":
        frozen_copies += 1
    if kl_mode != "none" and not lora:
        frozen_copies += 1
    if old_logps == "between" and not lora:
        frozen_copies += 1

    return train_copies, frozen_copies, int(engines)
