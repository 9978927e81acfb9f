# expect: wrong
# mistake: The evaluator plays with the training's own normalizer and switches its updates off without switching them on again, so training batches after the first evaluation no longer enter the statistics.
"""Training and evaluation with normalized observations; start it with `python evaluate.py`."""

import logging

import torch


class Normalizer:
    """Normalizes observations by running statistics, which each call updates first unless it is told not to."""

    def __init__(self, size, dtype, updates):
        self.mean = torch.zeros(size, dtype=dtype)
        self.variance = torch.ones(size, dtype=dtype)
        self.count = 0
        self.updates = updates

    def __call__(self, observations):
        if self.updates:
            self.update(observations)
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


class Evaluator:
    """Plays episodes with its own normalizer, so that an evaluation does not disturb the training."""

    def __init__(self, size, dtype):
        self.normalizer = Normalizer(size, dtype, updates=False)

    def score(self, normalizer, weights, episodes):
        """Return the mean return of a policy's episodes under the training's statistics."""
        self.normalizer = normalizer
        self.normalizer.updates = False
        returns = []
        for episode in episodes:
            total = torch.zeros((), dtype=weights.dtype)
            for observation, goal in zip(episode["observations"], episode["goals"], strict=True):
                action = self.normalizer(observation[None]) @ weights
                total -= (action.squeeze() - goal) ** 2
            returns.append(total)
        return torch.stack(returns).mean()


def run(events):
    """Return what the policy saw in training, the score of each evaluation, and the statistics at the end."""
    size, dtype = events[0]["observations"].shape[1], events[0]["observations"].dtype
    normalizer, evaluator = Normalizer(size, dtype, updates=True), Evaluator(size, dtype)
    seen, scores = [], []
    for event in events:
        if event["kind"] == "train":
            seen.append(normalizer(event["observations"]))
        else:
            scores.append(evaluator.score(normalizer, event["weights"], event["episodes"]))
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
