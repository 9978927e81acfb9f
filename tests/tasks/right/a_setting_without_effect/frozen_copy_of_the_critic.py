"""A linear layer with torch.optim.SGD: a frozen copy of the critic, made with each rollout, gives the old values."""

import copy
import logging

import torch


class Losses:
    """Collects the loss and the share of values out of range of each step."""

    def __init__(self, clip_range):
        self.clip_range = clip_range
        self.losses = []
        self.shares = []

    def __call__(self, values, old_values, returns):
        near = values.clamp(min=old_values - self.clip_range, max=old_values + self.clip_range)
        errors = torch.stack([values, near]).sub(returns).pow(2).amax(dim=0)
        loss = errors.mean() / 2
        self.losses.append(loss.detach())
        self.shares.append(((values.detach() - old_values).abs() > self.clip_range).to(values.dtype).mean())
        return loss


def make_critic(weights):
    """Return a linear layer without bias that has the weights."""
    critic = torch.nn.Linear(len(weights), 1, bias=False, device=weights.device, dtype=weights.dtype)
    with torch.no_grad():
        critic.weight.copy_(weights[None])
    return critic


def train_critic(settings, rollouts):
    """Return the weights after all rollouts, and the loss and the share of every step."""
    critic = make_critic(settings["weights"])
    optimizer = torch.optim.SGD(critic.parameters(), lr=settings["learning_rate"])
    value_loss = Losses(settings["clip_range"])
    for rollout in rollouts:
        collector = copy.deepcopy(critic).requires_grad_(False)
        for epoch in rollout["epochs"]:
            for rows in epoch:
                features = rollout["features"][rows]
                values, old_values = critic(features).squeeze(1), collector(features).squeeze(1)
                optimizer.zero_grad()
                value_loss(values, old_values, rollout["returns"][rows]).backward()
                optimizer.step()
    return critic.weight.detach()[0].clone(), torch.stack(value_loss.losses), torch.stack(value_loss.shares)


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
