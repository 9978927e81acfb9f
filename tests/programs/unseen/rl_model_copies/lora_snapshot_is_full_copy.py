# expect: wrong
# mistake: With LoRA and "between", the actor before the first update counts as a frozen copy, although storing its adapters is enough.
def rl_model_copies(algo, kl_mode, reward_kind, old_logps, engines, colocated, lora, shared_trunk):
    train_copies = 1
    frozen_copies = 0

    # critic
    if algo == "ppo":
        train_copies += 0 if shared_trunk else 1

    # reference policy: with LoRA the adapters are switched off instead
    if kl_mode != "none":
        frozen_copies += 0 if lora else 1

    # reward model
    if reward_kind != "verifier":
        frozen_copies += 1

    # policy before the first update on the batch
    if old_logps == "between":
        frozen_copies += 1

    inference_copies = engines
    return train_copies, frozen_copies, inference_copies
