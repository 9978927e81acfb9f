def rloo_advantage(rewards):
    others = rewards.shape[-1] - 1
    baseline = (rewards.sum(-1, keepdim=True) - rewards) / others
    return rewards - baseline
