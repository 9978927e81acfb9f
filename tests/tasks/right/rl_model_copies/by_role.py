def rl_model_copies(algo, kl_mode, reward_kind, old_logps, engines, colocated, lora, shared_trunk):
    roles = [("actor", "train")]
    if algo == "ppo":
        roles.append(("value head", "none") if shared_trunk else ("critic", "train"))
    if kl_mode in ("reward", "loss"):
        roles.append(("actor without adapters", "none") if lora else ("reference", "frozen"))
    if old_logps == "between":
        roles.append(("actor with old adapters", "none") if lora else ("old actor", "frozen"))
    if reward_kind in ("model", "both"):
        roles.append(("reward model", "frozen"))
    roles.extend((f"engine {number}", "inference") for number in range(engines))
    counts = {"train": 0, "frozen": 0, "inference": 0, "none": 0}
    for _name, use in roles:
        counts[use] += 1
    return counts["train"], counts["frozen"], counts["inference"]
