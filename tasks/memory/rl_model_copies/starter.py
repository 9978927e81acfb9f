def rl_model_copies(algo, kl_mode, reward_kind, old_logps, engines, colocated, lora, shared_trunk):
    """Return (train_copies, frozen_copies, inference_copies), three ints."""
    raise NotImplementedError
