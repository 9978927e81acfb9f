import math

import torch


def her_relabel(
    achieved, desired, r, done, ends, draws, threshold, strategy="future"
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (source, goal, reward, done) of all transitions, the relabeled copies after the originals."""
    points, numbers = achieved.tolist(), draws.tolist()
    source, goals, rewards, dones = list(range(len(points))), desired.tolist(), r.tolist(), done.tolist()
    begin = 0
    for end, is_last in enumerate(ends.tolist()):
        if not is_last:
            continue
        for i in range(begin, end + 1):
            low = {"future": i, "episode": begin, "final": end}[strategy]
            for u in numbers[i]:
                goal = points[low + math.floor(u * (end + 1 - low))]
                reached = math.dist(points[i], goal) <= threshold
                source.append(i)
                goals.append(goal)
                rewards.append(0.0 if reached else -1.0)
                dones.append(reached)
        begin = end + 1
    return (
        torch.tensor(source, dtype=torch.int64),
        torch.tensor(goals, dtype=desired.dtype).reshape(len(source), desired.shape[1]),
        torch.tensor(rewards, dtype=r.dtype),
        torch.tensor(dones, dtype=torch.bool),
    )
