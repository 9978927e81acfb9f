# expect: wrong
# mistake: The correction term of the doubly robust estimate is divided by the sum of the importance weights instead of by the number of visitors.
import torch


def off_policy_evaluation(target_probs, logged_probs, actions, rewards, q_hat):
    N = rewards.shape[0]
    idx = torch.arange(N)
    q_clean = q_hat.masked_fill(target_probs == 0, 0.0)
    w = target_probs[idx, actions] / logged_probs
    w_sum = w.sum()

    ips = (w * rewards).sum() / N
    dm = (target_probs * q_clean).sum() / N
    residual = (w * (rewards - q_clean[idx, actions])).sum()
    if w_sum == 0:
        return ips, torch.zeros_like(ips), dm
    snips = (w * rewards).sum() / w_sum
    dr = dm + residual / w_sum
    return ips, snips, dr
