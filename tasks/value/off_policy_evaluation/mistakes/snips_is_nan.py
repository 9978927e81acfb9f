import torch


def off_policy_evaluation(target_probs, logged_probs, actions, rewards, q_hat):
    q = q_hat.masked_fill(target_probs == 0, 0.0)
    rows = torch.arange(len(actions), device=actions.device)
    w = target_probs[rows, actions] / logged_probs
    ips = (w * rewards).mean()
    total = w.sum()
    snips = (w * rewards).sum() / total
    predicted = q[rows, actions]
    v = (target_probs * q).sum(dim=1)
    dr = (v + w * (rewards - predicted)).mean()
    return ips, snips, dr
