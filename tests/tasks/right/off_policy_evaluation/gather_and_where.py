import torch


def off_policy_evaluation(
    target_probs, logged_probs, actions, rewards, q_hat
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the IPS, SNIPS and doubly robust estimates of the new policy's mean reward, 0-dim tensors."""
    pi = target_probs.double()
    r = rewards.double()
    q = torch.where(target_probs > 0, q_hat.double(), 0.0)
    column = actions.unsqueeze(1)
    weights = pi.gather(1, column).squeeze(1) / logged_probs.double()

    ips = (weights * r).mean()
    total = weights.sum()
    snips = (weights * r).sum() / total if total > 0 else torch.zeros_like(ips)
    dr = ((pi * q).sum(dim=1) + weights * (r - q.gather(1, column).squeeze(1))).mean()
    return tuple(x.to(rewards.dtype) for x in (ips, snips, dr))
