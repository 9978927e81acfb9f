def rloo_advantage(rewards):
    G = rewards.shape[1]
    if G == 1:
        return rewards.clone()
    mean = rewards.mean(dim=1, keepdim=True)
    return (G - 1) / G * (rewards - mean)
