# expect: wrong
# mistake: With "future", the range starts with the transition after the copied one (the last transition of an episode uses itself), instead of with the copied transition.
import torch


def episode_bounds(ends):
    bounds, start = [], 0
    for i, is_end in enumerate(ends.tolist()):
        if is_end:
            bounds += [(start, i)] * (i - start + 1)
            start = i + 1
    return bounds


def her_relabel(achieved, desired, r, done, ends, draws, threshold, strategy="future"):
    n, k = draws.shape
    bounds = episode_bounds(ends)
    picks, source = [], list(range(n))
    for i in range(n):
        first, last = bounds[i]
        if strategy == "future":
            lo = min(i + 1, last)
        elif strategy == "episode":
            lo = first
        else:
            lo = last
        for u in draws[i].tolist():
            picks.append(lo + int(u * (last - lo + 1)))
            source.append(i)
    source = torch.tensor(source, dtype=torch.int64)
    goals = achieved[torch.tensor(picks, dtype=torch.int64)]
    hit = torch.linalg.vector_norm(achieved[source[n:]] - goals, dim=-1) <= threshold
    reward = torch.where(hit, 0.0, -1.0).to(r.dtype)
    return source, torch.cat([desired, goals]), torch.cat([r, reward]), torch.cat([done, hit])
