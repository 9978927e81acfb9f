"""One function without autograd: the gradient of the clipped loss is written out by hand."""

import logging

import torch


@torch.no_grad()
def train_critic(settings, rollouts):
    """Return the weights after all rollouts, and the loss and the share of every step."""
    weights, limit = settings["weights"].clone(), settings["clip_range"]
    losses, shares = [], []
    for rollout in rollouts:
        features, returns = rollout["features"], rollout["returns"]
        old_values = torch.mv(features, weights)
        for rows in (rows for epoch in rollout["epochs"] for rows in epoch):
            x, target, old = features[rows], returns[rows], old_values[rows]
            change = torch.mv(x, weights) - old
            outside = change.abs() > limit
            error = old + change - target
            clipped_error = old + limit * change.sign() - target
            # Beyond the range, the clipped value is a constant, so that its error has no gradient.
            constant = outside & (clipped_error.abs() > error.abs())
            worst = torch.where(constant, clipped_error, error)
            losses.append(worst.square().mean() / 2)
            shares.append(outside.to(weights.dtype).mean())
            slope = torch.where(constant, torch.zeros_like(error), error)
            weights = weights - settings["learning_rate"] * torch.mv(x.T, slope) / len(rows)
    return weights, torch.stack(losses), torch.stack(shares)


def collect(rng, states=64, size=4, epochs=4, minibatches=4):
    """Return a synthetic rollout whose returns are far from what a new critic predicts."""
    features = torch.randn(states, size, generator=rng)
    return {
        "features": features,
        "returns": 3 * features.sum(dim=1),
        "epochs": [torch.randperm(states, generator=rng).chunk(minibatches) for _ in range(epochs)],
    }


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    for clip_range in (10.0, 0.1, 0.001):
        rng = torch.Generator().manual_seed(0)
        settings = {"weights": torch.zeros(4), "learning_rate": 0.1, "clip_range": clip_range}
        _, losses, shares = train_critic(settings, [collect(rng) for _ in range(2)])
        logging.info("clip range %g: last loss %.4f, share %.2f", clip_range, losses[-1], shares.mean())


if __name__ == "__main__":
    main()
