"""Every transition is looked up in the stream itself, which has the true next observations."""

import torch


def replay(capacity, gamma, stream, draws):
    """Return the observations, [K, D], and the targets, [K], of all drawn transitions.

    Assumes: every age is less than `capacity` and less than the number of transitions so far.
    Source: https://github.com/DLR-RM/stable-baselines3/issues/934 (the last observation must be stored somewhere).
    """
    observations, targets = [], []
    for draw in draws:
        for age in draw["ages"].tolist():
            step = draw["after"] - 1 - age
            target = stream["reward"][step]
            if not stream["terminated"][step]:
                target = target + gamma * torch.dot(stream["next_observation"][step], draw["weights"])
            observations.append(stream["observation"][step])
            targets.append(target)
    return torch.stack(observations), torch.stack(targets)
