import math

import torch


def off_policy_evaluation(
    target_probs, logged_probs, actions, rewards, q_hat
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the IPS, SNIPS and doubly robust estimates of the new policy's mean reward, 0-dim tensors."""
    weights, weighted_rewards, corrected = [], [], []
    columns = (target_probs, logged_probs, actions, rewards, q_hat)
    for probs, logged, action, reward, predictions in zip(*(x.tolist() for x in columns)):
        baseline = math.fsum(p * q for p, q in zip(probs, predictions) if p > 0)
        weight = probs[action] / logged
        weights.append(weight)
        weighted_rewards.append(weight * reward)
        residual = weight * (reward - predictions[action]) if weight > 0 else 0.0
        corrected.append(baseline + residual)

    count, total = len(weights), math.fsum(weights)
    ips = math.fsum(weighted_rewards) / count
    snips = math.fsum(weighted_rewards) / total if total else 0.0
    dr = math.fsum(corrected) / count
    return tuple(torch.tensor(x, dtype=rewards.dtype) for x in (ips, snips, dr))
