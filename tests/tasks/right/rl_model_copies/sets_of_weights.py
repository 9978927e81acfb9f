def rl_model_copies(algo, kl_mode, reward_kind, old_logps, engines, colocated, lora, shared_trunk):
    # A name for each set of transformer weights; under LoRA, all versions of the actor use one set.
    def actor(version):
        return "base" if lora else f"actor, {version}"

    trained = {actor("current")}
    if algo == "ppo":
        trained.add(actor("current") if shared_trunk else "critic")
    scored_with = set()
    if kl_mode != "none":
        scored_with.add(actor("initial"))
    if old_logps == "between":
        scored_with.add(actor("start of the batch"))
    if reward_kind != "verifier":
        scored_with.add("reward model")
    return len(trained), len(scored_with - trained), engines
