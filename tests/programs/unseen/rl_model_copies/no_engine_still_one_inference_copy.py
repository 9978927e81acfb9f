# expect: wrong
# mistake: With engines=0, the trainer's actor that generates the responses is counted as one inference copy instead of 0.
def _train(algo, shared_trunk):
    if algo == "grpo" or shared_trunk:
        return 1
    return 2


def _frozen(kl_mode, reward_kind, old_logps, lora):
    n = 1 if reward_kind in ("model", "both") else 0
    if lora:
        return n
    n += kl_mode in ("reward", "loss")
    n += old_logps == "between"
    return n


def _inference(engines):
    return max(engines, 1)


def rl_model_copies(algo, kl_mode, reward_kind, old_logps, engines, colocated, lora, shared_trunk):
    return _train(algo, shared_trunk), _frozen(kl_mode, reward_kind, old_logps, lora), _inference(engines)
