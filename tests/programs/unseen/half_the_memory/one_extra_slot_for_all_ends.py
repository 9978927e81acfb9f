# expect: wrong
# mistake: Every episode end takes an additional slot, but the ring has only one slot more than before, so that the oldest transitions are overwritten when more than one episode ends among the newest ones.
"""A replay buffer that stores every observation once, and the last one of an episode in a slot of its own."""

from collections import deque

import torch


class ReplayBuffer:
    def __init__(self, capacity, size, dtype):
        # capacity + the newest next observation + the final observation of an episode
        self.slots = capacity + 2
        self.obs = torch.zeros(self.slots, size, dtype=dtype)
        self.rewards = torch.zeros(self.slots, dtype=dtype)
        self.terminated = torch.zeros(self.slots, dtype=torch.bool)
        self.position = 0
        self.where = deque(maxlen=capacity)  # slot of each transition, oldest first

    def add(self, observation, reward, next_observation, terminated, truncated):
        at = self.position
        self.obs[at] = observation
        self.rewards[at] = reward
        self.terminated[at] = terminated
        self.where.append(at)
        at = (at + 1) % self.slots
        self.obs[at] = next_observation
        if terminated or truncated:
            # leave the final observation alone; the next episode starts one slot later
            at = (at + 1) % self.slots
        self.position = at

    def get(self, ages):
        slots = torch.tensor(list(self.where), dtype=torch.int64)
        slots = slots[len(slots) - 1 - ages]
        return self.obs[slots], self.rewards[slots], self.obs[(slots + 1) % self.slots], self.terminated[slots]


def replay(capacity, gamma, stream, draws):
    buffer = ReplayBuffer(capacity, stream["observation"].shape[1], stream["reward"].dtype)
    added, observations, targets = 0, [], []
    for draw in draws:
        for i in range(added, draw["after"]):
            buffer.add(**{name: rows[i] for name, rows in stream.items()})
        added = draw["after"]
        seen, rewards, following, terminated = buffer.get(draw["ages"])
        values = following @ draw["weights"]
        targets.append(rewards + gamma * torch.where(terminated, 0.0, values))
        observations.append(seen)
    return torch.cat(observations), torch.cat(targets)
