"""The last observation of an episode gets a slot of its own in the ring, and transitions know where they start."""

import logging

import torch


class ReplayBuffer:
    """The newest `capacity` transitions. A transition's next observation is the observation in the next slot."""

    def __init__(self, capacity, like):
        # At worst, every transition is an episode, which needs two slots.
        self.capacity, self.slots = capacity, 2 * capacity
        self.observations = like.new_zeros(self.slots, like.shape[1])
        self.rewards = like.new_zeros(capacity)
        self.terminated = torch.zeros(capacity, dtype=torch.bool, device=like.device)
        self.starts = torch.zeros(capacity, dtype=torch.int64, device=like.device)
        self.added = 0
        self.position = 0

    def add(self, observation, reward, next_observation, terminated, truncated):
        """Store a transition in place of the oldest one."""
        at = self.added % self.capacity
        self.rewards[at] = reward
        self.terminated[at] = terminated
        self.starts[at] = self.position
        self.observations[self.position] = observation
        self.observations[(self.position + 1) % self.slots] = next_observation
        # A new episode starts behind the last observation; the same episode goes on from it.
        step = 2 if terminated or truncated else 1
        self.position = (self.position + step) % self.slots
        self.added += 1

    def get(self, ages):
        """Return transitions by their age; the newest one has age 0."""
        at = (self.added - 1 - ages) % self.capacity
        slots = self.starts[at]
        following = self.observations[(slots + 1) % self.slots]
        return self.observations[slots], self.rewards[at], following, self.terminated[at]


def replay(capacity, gamma, stream, draws):
    """Return the observations and the targets of the drawn transitions."""
    buffer = ReplayBuffer(capacity, stream["observation"])
    added, observations, targets = 0, [], []
    for draw in draws:
        while added < draw["after"]:
            buffer.add(**{name: rows[added] for name, rows in stream.items()})
            added += 1
        seen, rewards, following, terminated = buffer.get(draw["ages"])
        values = following @ draw["weights"]
        targets.append(rewards + gamma * torch.where(terminated, 0.0, values))
        observations.append(seen)
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
