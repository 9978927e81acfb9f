# expect: wrong
# mistake: A value out of the clip range always gets the error of its clipped value instead of the larger error, and the recorded loss is computed after the step.
"""The training of a PPO critic with a clipped value loss; start it with `python critic.py`."""

import logging

import torch


def value_loss(values, old_values, returns, clip_range):
    """Return the clipped value loss, and the share of values that are out of the clip range."""
    clipped = old_values + (values - old_values).clamp(-clip_range, clip_range)
    errors = (clipped - returns) ** 2
    outside = (values - old_values).abs() > clip_range
    errors = torch.where(outside, errors, (values - returns) ** 2)
    return 0.5 * errors.mean(), outside.to(values.dtype).mean()


class Critic:
    """A linear value function that is trained by gradient descent."""

    def __init__(self, weights, learning_rate):
        self.weights = weights.clone().requires_grad_()
        self.learning_rate = learning_rate

    def values(self, features):
        return features @ self.weights

    def update(self, loss):
        (gradient,) = torch.autograd.grad(loss, self.weights)
        with torch.no_grad():
            self.weights -= self.learning_rate * gradient


def minibatch_step(critic, batch, clip_range):
    """Make one update on a minibatch, and return its loss and its share of values out of the clip range."""
    values = critic.values(batch["features"])
    loss, share = value_loss(values, batch["old_values"], batch["returns"], clip_range)
    critic.update(loss)
    with torch.no_grad():
        values = critic.values(batch["features"])
        loss, _ = value_loss(values, batch["old_values"], batch["returns"], clip_range)
    return loss, share


def train_critic(settings, rollouts):
    """Return the weights after all rollouts, and the loss and the share of every step."""
    critic = Critic(settings["weights"], settings["learning_rate"])
    losses, shares = [], []
    for rollout in rollouts:
        data = {name: rollout[name] for name in ("features", "returns")}
        with torch.no_grad():
            data["old_values"] = critic.values(data["features"])
        for epoch in rollout["epochs"]:
            for rows in epoch:
                batch = {name: tensor[rows] for name, tensor in data.items()}
                loss, share = minibatch_step(critic, batch, settings["clip_range"])
                losses.append(loss)
                shares.append(share)
    return critic.weights.detach(), torch.stack(losses), torch.stack(shares)


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
