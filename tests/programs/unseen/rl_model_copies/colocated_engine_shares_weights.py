# expect: wrong
# mistake: Colocated engines count as sharing the trainer's weights, so inference_copies is 0 if colocated is True.
def rl_model_copies(algo, kl_mode, reward_kind, old_logps, engines, colocated, lora, shared_trunk):
    critic = 1 if (algo == "ppo" and not shared_trunk) else 0
    reward_model = {"model": 1, "verifier": 0, "both": 1}[reward_kind]
    reference = 0 if (kl_mode == "none" or lora) else 1
    old_policy = 1 if (old_logps == "between" and not lora) else 0
    inference = 0 if colocated else engines
    return 1 + critic, reference + reward_model + old_policy, inference
