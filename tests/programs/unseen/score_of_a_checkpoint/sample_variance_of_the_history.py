# expect: wrong
# mistake: The statistics are recomputed from all training observations with the sample variance (divided by the number of rows minus 1) instead of the population variance.
"""Training and evaluation with normalized observations; start it with `python evaluate.py`."""

import logging

import torch


def normalize(observations, mean, variance):
    return ((observations - mean) / torch.sqrt(variance + 1e-8)).clamp(-5, 5)


def evaluate(event, mean, variance):
    """Return the mean return of the episodes under fixed statistics."""
    total = 0.0
    for episode in event["episodes"]:
        actions = normalize(episode["observations"], mean, variance) @ event["weights"]
        total = total - ((actions - episode["goals"]) ** 2).sum()
    return total / len(event["episodes"])


def run(events):
    """Return what the policy saw in training, the score of each evaluation, and the statistics at the end."""
    history, seen, scores = [], [], []
    for event in events:
        if event["kind"] == "train":
            history.append(event["observations"])
            rows = torch.cat(history)
            mean, variance = rows.mean(dim=0), rows.var(dim=0)
            seen.append(normalize(event["observations"], mean, variance))
        else:
            scores.append(evaluate(event, mean, variance))
    return torch.cat(seen), torch.stack(scores), torch.stack([mean, variance])


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
