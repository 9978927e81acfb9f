def rloo_advantage(rewards):
    G = rewards.shape[1]
    if G == 1:
        return rewards.clone()
    others = rewards.sum(dim=1, keepdim=True) - rewards
    return rewards - others / G
