# expect: right
"""Training and evaluation with normalized observations; start it with `python evaluate.py`."""

import logging

import torch


class Normalizer:
    """Running mean and variance of the training observations."""

    def __init__(self, size, dtype):
        self.mean = torch.zeros(size, dtype=dtype)
        self.variance = torch.ones(size, dtype=dtype)
        self.count = 0

    def normalize(self, observations):
        return ((observations - self.mean) / (self.variance + 1e-8).sqrt()).clamp(-5, 5)

    def update(self, observations):
        """Add the rows of a batch to the statistics."""
        rows = len(observations)
        total = self.count + rows
        difference = observations.mean(dim=0) - self.mean
        squares = self.variance * self.count + observations.var(dim=0, correction=0) * rows
        self.mean = self.mean + difference * rows / total
        self.variance = (squares + difference**2 * self.count * rows / total) / total
        self.count = total


def score(normalizer, weights, episodes):
    """Return the mean return of a policy's episodes under the training's statistics, which stay as they are."""
    returns = []
    for episode in episodes:
        actions = normalizer.normalize(episode["observations"]) @ weights
        returns.append(-((actions - episode["goals"]) ** 2).sum())
    return torch.stack(returns).mean()


def run(events):
    """Return what the policy saw in training, the score of each evaluation, and the statistics at the end."""
    first = events[0]["observations"]
    normalizer = Normalizer(first.shape[1], first.dtype)
    seen, scores = [], []
    for event in events:
        if event["kind"] == "train":
            normalizer.update(event["observations"])
            seen.append(normalizer.normalize(event["observations"]))
        else:
            scores.append(score(normalizer, event["weights"], event["episodes"]))
    return torch.cat(seen), torch.stack(scores), torch.stack([normalizer.mean, normalizer.variance])


def play(rng, episodes, steps):
    """Return episodes that a perfect policy with the weight 1 would finish with a score of 0."""
    played = []
    for _ in range(episodes):
        observations = 2 + torch.randn(steps, 1, generator=rng).cumsum(dim=0)
        played.append({"observations": observations, "goals": ((observations - 2) / 3).clamp(-5, 5).squeeze(1)})
    return played


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    rng = torch.Generator().manual_seed(0)
    train = {"kind": "train", "observations": 2 + 3 * torch.randn(500, 1, generator=rng)}
    for number in (1, 10, 100):
        episodes = play(torch.Generator().manual_seed(1), number, 50)
        _, scores, _ = run([train, {"kind": "evaluate", "weights": torch.ones(1), "episodes": episodes}])
        logging.info("score of %d episodes: %.2f", number, scores[0])


if __name__ == "__main__":
    main()
