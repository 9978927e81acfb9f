"""The residual has the same importance weight as the reward in IPS, so it removes the model's bias on average."""

import torch


def off_policy_evaluation(target_probs, logged_probs, actions, rewards, q_hat):
    """Return the IPS, SNIPS and doubly robust estimates of the new policy's mean reward.

    Shapes: target_probs, q_hat [N, A]; logged_probs, actions, rewards [N]; the results are 0-dim.
    Source: arXiv:1103.4601, section 2.2.
    """
    logged = actions[:, None]
    weights = target_probs.gather(1, logged).squeeze(1) / logged_probs
    ips = (weights * rewards).mean()
    # Without any weight, the quotient is NaN.
    snips = ((weights * rewards).sum() / weights.sum()).nan_to_num()
    # torch.where instead of the product alone, because 0 * NaN is NaN.
    q_hat = torch.where(target_probs > 0, q_hat, 0.0)
    predicted_value = (target_probs * q_hat).sum(dim=1)
    residuals = rewards - q_hat.gather(1, logged).squeeze(1)
    dr = (predicted_value + weights * residuals).mean()
    return ips, snips, dr
