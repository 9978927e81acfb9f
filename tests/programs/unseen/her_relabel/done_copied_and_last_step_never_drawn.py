# expect: wrong
# mistake: The copies keep done of their original transition, and the position is floor(u * (n - 1)), so the last transition of a longer range is never chosen.
import torch


def her_relabel(achieved, desired, r, done, ends, draws, threshold, strategy="future"):
    N, K = draws.shape
    idx = torch.arange(N)
    last = torch.empty(N, dtype=torch.int64)
    first = torch.empty(N, dtype=torch.int64)
    start = 0
    for stop in ends.nonzero().flatten().tolist():
        first[start : stop + 1] = start
        last[start : stop + 1] = stop
        start = stop + 1
    if strategy == "future":
        lo = idx
    elif strategy == "episode":
        lo = first
    elif strategy == "final":
        lo = last
    else:
        raise ValueError(strategy)
    n = (last - lo).clamp(min=0)
    pick = lo[:, None] + (draws * n[:, None]).floor().long()  # [N, K]
    goal = achieved[pick]  # [N, K, G]
    dist = torch.linalg.vector_norm(achieved[:, None] - goal, dim=-1)
    reached = dist <= threshold
    reward = torch.where(reached, 0.0, -1.0).to(r.dtype)
    source = torch.cat([idx, idx[:, None].expand(N, K).reshape(-1)])
    goals = torch.cat([desired, goal.flatten(0, 1)])
    return source, goals, torch.cat([r, reward.reshape(-1)]), done[source]
