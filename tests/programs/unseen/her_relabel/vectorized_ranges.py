# expect: right
import torch


def her_relabel(achieved, desired, r, done, ends, draws, threshold, strategy="future"):
    n, k = draws.shape
    index = torch.arange(n)
    last_steps = ends.nonzero().flatten()
    episode = ends.long().cumsum(0) - ends.long()
    last = last_steps[episode]
    first_steps = torch.cat([torch.zeros(1, dtype=torch.int64), last_steps[:-1] + 1])
    first = {"future": index, "episode": first_steps[episode], "final": last}[strategy]
    size = last - first + 1
    offset = (draws * size[:, None]).floor().long()
    chosen = (first[:, None] + torch.minimum(offset, size[:, None] - 1)).reshape(-1)
    copied = index.repeat_interleave(k)
    new_goal = achieved[chosen]
    distance = (achieved[copied] - new_goal).square().sum(dim=1).sqrt()
    reached = distance <= threshold
    return (
        torch.cat([index, copied]),
        torch.cat([desired, new_goal]),
        torch.cat([r, reached.to(r.dtype) - 1]),
        torch.cat([done, reached]),
    )
