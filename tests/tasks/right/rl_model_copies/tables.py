TRAINED = {("ppo", False): 2, ("ppo", True): 1, ("grpo", False): 1, ("grpo", True): 1}
REFERENCE = {"none": 0, "reward": 1, "loss": 1}
OLD_ACTOR = {"engine": 0, "before": 0, "between": 1}
REWARD_MODEL = {"verifier": 0, "model": 1, "both": 1}


def rl_model_copies(algo, kl_mode, reward_kind, old_logps, engines, colocated, lora, shared_trunk):
    frozen = REWARD_MODEL[reward_kind]
    if not lora:
        frozen += REFERENCE[kl_mode] + OLD_ACTOR[old_logps]
    return TRAINED[algo, shared_trunk], frozen, engines
