"""The actor and perhaps a critic are trained; a frozen copy exists only if forward passes need other weights."""


def rl_model_copies(algo, kl_mode, reward_kind, old_logps, engines, colocated, lora, shared_trunk):
    """Return the numbers of trained copies, of frozen copies and of copies in rollout engines.

    `colocated` has no effect, because engines never use the trainer's copy.
    Source: arXiv:1707.06347, section 5; arXiv:2402.03300, section 4.1.1.
    """
    has_critic = algo == "ppo" and not shared_trunk
    needs_reference = kl_mode != "none"
    # Stored log-probabilities need no weights; recomputing them after an update does.
    needs_old_actor = old_logps == "between"
    # With LoRA, both are the actor's base, without adapters or with stored ones.
    frozen_actors = 0 if lora else needs_reference + needs_old_actor
    has_reward_model = reward_kind != "verifier"
    return 1 + has_critic, frozen_actors + has_reward_model, engines
