"""Immutable statistics that are merged by pairs, and evaluations that take whole episodes at once."""

import logging
from typing import NamedTuple

import torch


class Statistics(NamedTuple):
    """The number of rows, their mean, and the sum of the squared differences from it."""

    count: int
    mean: torch.Tensor
    squares: torch.Tensor

    @classmethod
    def of(cls, rows):
        mean = rows.mean(dim=0)
        return cls(len(rows), mean, (rows - mean).square().sum(dim=0))

    def merge(self, other):
        count = self.count + other.count
        shift = other.mean - self.mean
        mean = self.mean + shift * (other.count / count)
        return Statistics(count, mean, self.squares + other.squares + shift**2 * (self.count * other.count / count))

    @property
    def variance(self):
        return self.squares / self.count

    def normalize(self, rows):
        return torch.clamp((rows - self.mean) / torch.sqrt(self.variance + 1e-8), -5, 5)


def episode_return(statistics, weights, episode):
    """Return minus the squared distance between the actions and the goals."""
    actions = statistics.normalize(episode["observations"]) @ weights
    return -(actions - episode["goals"]).square().sum()


def run(events):
    """Return what the policy saw in training, the score of each evaluation, and the statistics at the end."""
    statistics, seen, scores = None, [], []
    for event in events:
        if event["kind"] == "train":
            batch = Statistics.of(event["observations"])
            statistics = batch if statistics is None else statistics.merge(batch)
            seen.append(statistics.normalize(event["observations"]))
        else:
            returns = [episode_return(statistics, event["weights"], episode) for episode in event["episodes"]]
            scores.append(torch.stack(returns).mean())
    return torch.cat(seen), torch.stack(scores), torch.stack([statistics.mean, statistics.variance])


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
