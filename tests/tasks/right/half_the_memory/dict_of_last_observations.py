"""Keeps the ring of the starter, and a dict from slots to the last observations of episodes that were truncated."""

import logging

import torch


class ReplayBuffer:
    """The newest `capacity` transitions; the next observation is in the next slot, or among the last ones."""

    def __init__(self, capacity, size, dtype, device):
        # One slot more, for the next observation of the newest transition.
        self.slots = capacity + 1
        self.observations = torch.zeros(self.slots, size, dtype=dtype, device=device)
        self.rewards = torch.zeros(self.slots, dtype=dtype, device=device)
        self.terminated = torch.zeros(self.slots, dtype=torch.bool, device=device)
        self.last = {}
        self.position = 0

    def add(self, observation, reward, next_observation, terminated, truncated):
        """Store a transition in place of the oldest one."""
        slot = self.position
        self.observations[slot] = observation
        self.rewards[slot] = reward
        self.terminated[slot] = terminated
        self.last.pop(slot, None)
        if truncated and not terminated:
            self.last[slot] = next_observation.clone()
        self.position = (slot + 1) % self.slots
        self.observations[self.position] = next_observation

    def get(self, ages):
        """Return transitions by their age; the newest one has age 0."""
        slots = (self.position - 1 - ages) % self.slots
        following = self.observations[(slots + 1) % self.slots]
        for row, slot in enumerate(slots.tolist()):
            if slot in self.last:
                following[row] = self.last[slot]
        return self.observations[slots], self.rewards[slots], following, self.terminated[slots]

    def targets(self, ages, weights, gamma):
        """Return the observations and the one-step targets of transitions."""
        observations, rewards, following, terminated = self.get(ages)
        return observations, torch.where(terminated, rewards, rewards + gamma * (following @ weights))


def replay(capacity, gamma, stream, draws):
    """Return the observations and the targets of the drawn transitions."""
    first = stream["observation"]
    buffer = ReplayBuffer(capacity, first.shape[1], first.dtype, first.device)
    names = ("observation", "reward", "next_observation", "terminated", "truncated")
    added, results = 0, []
    for draw in draws:
        for number in range(added, draw["after"]):
            buffer.add(*(stream[name][number] for name in names))
        added = draw["after"]
        results.append(buffer.targets(draw["ages"], draw["weights"], gamma))
    observations, targets = zip(*results, strict=True)
    return torch.cat(observations), torch.cat(targets)


def walk(steps, limit):
    """Return a walk that moves one step per transition and starts again at 0 after `limit` steps."""
    at = torch.arange(steps) % limit
    return {
        "observation": at[:, None].float(),
        "reward": torch.ones(steps),
        "next_observation": (at[:, None] + 1).float(),
        "terminated": torch.zeros(steps, dtype=torch.bool),
        "truncated": at == limit - 1,
    }


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    for limit in (1000, 10, 2):
        draw = {"after": 40, "ages": torch.arange(20), "weights": torch.ones(1)}
        observations, targets = replay(20, 0.99, walk(40, limit), [draw])
        # The value of an observation is the observation itself.
        error = targets - (1 + 0.99 * (observations[:, 0] + 1))
        logging.info("episodes of %d steps: mean error of a target %.3f", limit, error.mean())


if __name__ == "__main__":
    main()
