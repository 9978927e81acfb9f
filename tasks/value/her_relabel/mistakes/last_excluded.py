import torch


def her_relabel(achieved, desired, r, done, ends, draws, threshold, strategy="future"):
    n, k = draws.shape
    episode = torch.cumsum(ends, 0) - ends.long()
    last = ends.nonzero()[:, 0]
    first = torch.zeros_like(last)
    first[1:] = last[:-1] + 1
    t = torch.arange(n, device=r.device)
    low = t
    if strategy == "episode":
        low = first[episode]
    elif strategy == "final":
        low = last[episode]
    size = (last[episode] - low).clamp(min=1)
    index = (low[:, None] + torch.floor(draws * size[:, None]).long()).reshape(-1)
    source = t[:, None].expand(n, k).reshape(-1)
    goal = achieved[index]
    distance = torch.linalg.vector_norm(achieved[source] - goal, dim=-1)
    success = distance <= threshold
    reward = torch.where(success, 0.0, -1.0).to(r.dtype)
    return (
        torch.cat([t, source]),
        torch.cat([desired, goal]),
        torch.cat([r, reward]),
        torch.cat([done, success]),
    )
