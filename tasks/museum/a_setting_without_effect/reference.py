"""The old values are those of the weights with which a rollout begins; the gradient is written out."""

import torch


def train_critic(settings, rollouts):
    """Return the weights, [D], and the loss and the share of values out of the clip range of every step, [steps] each.

    Assumes: no value is at the edge of the clip range, and the two errors of a clipped value differ.
    Source: https://github.com/tensorflow/agents/issues/352 (the cached values are the old ones).
    """
    weights, limit = settings["weights"], settings["clip_range"]
    losses, shares = [], []
    for rollout in rollouts:
        collected_with = weights
        for rows in (rows for epoch in rollout["epochs"] for rows in epoch):
            loss, outside, gradient = 0, 0, 0
            for row in rows:
                features, goal = rollout["features"][row], rollout["returns"][row]
                value, old_value = (features * weights).sum(), (features * collected_with).sum()
                error, clipped_error = value - goal, value - goal
                if abs(value - old_value) > limit:
                    outside = outside + 1
                    clipped_error = old_value + (value - old_value).clamp(-limit, limit) - goal
                if abs(clipped_error) > abs(error):
                    loss = loss + clipped_error**2 / 2
                else:
                    loss = loss + error**2 / 2
                    gradient = gradient + error * features
            losses.append(loss / len(rows))
            shares.append(torch.as_tensor(outside / len(rows), dtype=weights.dtype))
            weights = weights - settings["learning_rate"] * gradient / len(rows)
    return weights, torch.stack(losses), torch.stack(shares)
