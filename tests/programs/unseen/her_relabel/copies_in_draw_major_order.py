# expect: wrong
# mistake: The copies are ordered by draw first (the first copies of all transitions, then the second copies, and so on), instead of by transition first.
import torch


def her_relabel(achieved, desired, r, done, ends, draws, threshold, strategy="future"):
    n = len(r)
    k = draws.shape[1]
    step = torch.arange(n)
    stops = torch.nonzero(ends).squeeze(1)
    last = stops[torch.searchsorted(stops, step)]
    first = torch.cat([stops.new_zeros(1), stops + 1])[torch.searchsorted(stops, step)]
    low = step if strategy == "future" else first if strategy == "episode" else last
    source = step.repeat(k)
    u = draws.t().reshape(-1)
    low, last = low[source], last[source]
    target = low + (u * (last - low + 1)).long()
    new_goal = achieved[target]
    reached = torch.norm(achieved[source] - new_goal, dim=1) <= threshold
    new_reward = -(~reached).to(r.dtype)
    return (
        torch.cat([step, source]),
        torch.cat([desired, new_goal], dim=0),
        torch.cat([r, new_reward]),
        torch.cat([done, reached]),
    )
