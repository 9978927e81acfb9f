def rloo_advantage(rewards):
    G = rewards.shape[1]
    if G == 1:
        return rewards.clone()
    total, n = rewards.sum(), rewards.numel()
    return rewards - (total - rewards) / (n - 1)
