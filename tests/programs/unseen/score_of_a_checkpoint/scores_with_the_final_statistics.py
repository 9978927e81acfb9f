# expect: wrong
# mistake: All evaluations are scored after the run with the final statistics instead of with the statistics of the training at that time.
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


def evaluate(normalizer, weights, episodes):
    returns = []
    for episode in episodes:
        actions = normalizer(episode["observations"]) @ weights
        returns.append(-(actions - episode["goals"]).square().sum())
    return torch.stack(returns).mean()


def run(events):
    """Return what the policy saw in training, the score of each evaluation, and the statistics at the end."""
    size, dtype = events[0]["observations"].shape[1], events[0]["observations"].dtype
    normalizer = Normalizer(size, dtype, updates=True)
    seen = [normalizer(event["observations"]) for event in events if event["kind"] == "train"]
    # Evaluate with the saved statistics, so that each score can be repeated.
    normalizer.updates = False
    scores = [
        evaluate(normalizer, event["weights"], event["episodes"]) for event in events if event["kind"] == "evaluate"
    ]
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
