"""No running statistics: each event recomputes them in float64 from all training observations before it."""

import logging

import torch


def moments(batches):
    """Return the mean and the population variance of all rows in float64."""
    rows = torch.cat(batches).double()
    return rows.mean(dim=0), rows.var(dim=0, correction=0)


def normalize(observations, mean, variance):
    """Return the normalized and clamped observations in float64."""
    return ((observations.double() - mean) / (variance + 1e-8).sqrt()).clamp(-5, 5)


def score(event, mean, variance):
    """Return the mean return of an evaluation, whose episodes are put together and separated by their number."""
    episodes = event["episodes"]
    observations = torch.cat([episode["observations"] for episode in episodes])
    goals = torch.cat([episode["goals"] for episode in episodes]).double()
    errors = (normalize(observations, mean, variance) @ event["weights"].double() - goals) ** 2
    return -errors.sum() / len(episodes)


def run(events):
    """Return what the policy saw in training, the score of each evaluation, and the statistics at the end."""
    batches, seen, scores = [], [], []
    for event in events:
        if event["kind"] == "train":
            batches.append(event["observations"])
            seen.append(normalize(event["observations"], *moments(batches)))
        else:
            scores.append(score(event, *moments(batches)))
    dtype = batches[0].dtype
    return torch.cat(seen).to(dtype), torch.stack(scores).to(dtype), torch.stack(moments(batches)).to(dtype)


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
