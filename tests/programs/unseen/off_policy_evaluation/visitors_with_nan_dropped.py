# expect: wrong
# mistake: Visitors whose logged action has a NaN prediction are left out of the doubly robust average instead of counting with their direct estimate.
import torch


def off_policy_evaluation(target_probs, logged_probs, actions, rewards, q_hat):
    a = actions.unsqueeze(-1)
    ratio = torch.gather(target_probs, -1, a).squeeze(-1).div(logged_probs)
    ips = ratio.mul(rewards).mean()

    norm = ratio.sum()
    snips = ratio.mul(rewards).sum().div(norm) if norm.item() > 0 else torch.zeros((), dtype=rewards.dtype)

    used = target_probs > 0
    value = torch.where(used, q_hat, torch.zeros_like(q_hat)).mul(target_probs).sum(-1)
    q_logged = torch.gather(q_hat, -1, a).squeeze(-1)
    q_logged = torch.where(torch.isinf(q_logged), torch.zeros_like(q_logged), q_logged)
    per_visitor = value + ratio * (rewards - q_logged)
    valid = ~torch.isnan(per_visitor)
    dr = per_visitor[valid].mean() if valid.any() else value.mean()
    return ips, snips, dr
