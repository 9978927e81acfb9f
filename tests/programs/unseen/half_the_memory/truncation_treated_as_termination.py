# expect: wrong
# mistake: A truncated transition is marked like a terminated one, so that its target is only its reward instead of also the value of its next observation.
"""A replay buffer that stores every observation only once; start it with `python replay.py`."""

import logging

import torch


class ReplayBuffer:
    """The newest `capacity` transitions. A transition's next observation is the observation in the next slot."""

    def __init__(self, capacity, size, dtype):
        # One slot more, for the next observation of the newest transition.
        self.slots = capacity + 1
        self.observations = torch.zeros(self.slots, size, dtype=dtype)
        self.rewards = torch.zeros(self.slots, dtype=dtype)
        self.terminated = torch.zeros(self.slots, dtype=torch.bool)
        self.position = 0
        self.episodes = 0

    def add(self, observation, reward, next_observation, terminated, truncated):
        """Store a transition in place of the oldest one."""
        self.observations[self.position] = observation
        self.rewards[self.position] = reward
        # the next slot will hold the first observation of another episode, so don't bootstrap from it
        self.terminated[self.position] = terminated | truncated
        self.position = (self.position + 1) % self.slots
        self.observations[self.position] = next_observation
        self.episodes += bool(terminated or truncated)

    def get(self, ages):
        """Return transitions by their age; the newest one has age 0."""
        slots = (self.position - 1 - ages) % self.slots
        following = (slots + 1) % self.slots
        return self.observations[slots], self.rewards[slots], self.observations[following], self.terminated[slots]


def replay(capacity, gamma, stream, draws):
    """Return the observations and the targets of the drawn transitions."""
    buffer = ReplayBuffer(capacity, stream["observation"].shape[1], stream["reward"].dtype)
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
