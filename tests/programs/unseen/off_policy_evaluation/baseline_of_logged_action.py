# expect: wrong
# mistake: The direct part of the doubly robust estimate is the prediction for the logged action (0 where the new policy never chooses it) instead of the expected prediction under the new policy.
import torch


def off_policy_evaluation(target_probs, logged_probs, actions, rewards, q_hat):
    pi = target_probs.gather(1, actions[:, None]).squeeze(1)
    w = pi / logged_probs
    weighted = w * rewards

    ips = weighted.mean()
    total = w.sum()
    snips = torch.where(total > 0, weighted.sum() / total, torch.zeros_like(total))

    q = q_hat.gather(1, actions[:, None]).squeeze(1)
    q = torch.where(pi > 0, q, torch.zeros_like(q))
    dr = (q + w * (rewards - q)).mean()
    return ips, snips, dr
