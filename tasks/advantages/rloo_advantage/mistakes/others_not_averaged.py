def rloo_advantage(rewards):
    G = rewards.shape[1]
    if G == 1:
        return rewards.clone()
    total = rewards.sum(-1, keepdim=True)
    return rewards - (total - rewards)
