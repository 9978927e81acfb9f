# expect: right
import torch


def replay(capacity, gamma, stream, draws):
    """The newest transition at a draw has the index after - 1, and age counts back from it."""
    observations, targets = [], []
    for draw in draws:
        index = draw["after"] - 1 - draw["ages"]
        value = stream["next_observation"][index] @ draw["weights"]
        rewards = stream["reward"][index]
        targets.append(torch.where(stream["terminated"][index], rewards, rewards + gamma * value))
        observations.append(stream["observation"][index])
    return torch.cat(observations), torch.cat(targets)
