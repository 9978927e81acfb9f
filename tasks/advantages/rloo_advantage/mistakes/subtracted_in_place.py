def rloo_advantage(rewards):
    G = rewards.shape[1]
    if G == 1:
        return rewards.clone()
    baseline = (rewards.sum(dim=1, keepdim=True) - rewards) / (G - 1)
    rewards -= baseline
    return rewards
