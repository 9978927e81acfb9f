import torch


class ReplayBuffer:
    """The newest `capacity` transitions. A transition's next observation is the observation in the next slot."""

    def __init__(self, capacity, size, dtype):
        # One slot more, for the next observation of the newest transition.
        self.slots = capacity + 1
        self.observations = torch.zeros(self.slots, size, dtype=dtype)
        self.rewards = torch.zeros(self.slots, dtype=dtype)
        self.terminated = torch.zeros(self.slots, dtype=torch.bool)
        self.finals = {}
        self.position = 0
        self.episodes = 0

    def add(self, observation, reward, next_observation, terminated, truncated):
        """Store a transition in place of the oldest one."""
        self.observations[self.position] = observation
        self.rewards[self.position] = reward
        self.terminated[self.position] = terminated
        self.finals.pop(self.position, None)
        if truncated:
            self.finals[self.position] = next_observation
        self.position = (self.position + 1) % self.slots
        self.observations[self.position] = next_observation
        self.episodes += bool(terminated or truncated)

    def get(self, ages):
        """Return transitions by their age; the newest one has age 0."""
        slots = (self.position - 1 - ages) % self.slots
        following = self.observations[(slots + 1) % self.slots]
        for row, slot in enumerate(slots.tolist()):
            if slot in self.finals:
                following[row] = self.finals.pop(slot)
        return self.observations[slots], self.rewards[slots], following, self.terminated[slots]


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
