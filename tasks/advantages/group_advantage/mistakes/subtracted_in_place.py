def group_advantage(rewards, group_id, scale="std", eps=1e-4, unbiased=True):
    spread_of_batch = rewards.std(correction=int(unbiased)) if len(rewards) > 1 else 1.0
    for key in group_id.unique():
        members = group_id == key
        own = rewards[members]
        if own.max() == own.min():
            rewards[members] = 0.0
            continue
        rewards[members] -= own.mean()
        if scale == "std":
            rewards[members] /= own.std(correction=int(unbiased)) + eps
        elif scale == "batch":
            rewards[members] /= spread_of_batch + eps
    return rewards
