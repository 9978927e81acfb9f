def rloo_advantage(rewards):
    G = rewards.shape[1]
    if G == 1:
        return rewards.clone()
    return rewards - rewards.mean(dim=1, keepdim=True)
