import torch


def off_policy_evaluation(target_probs, logged_probs, actions, rewards, q_hat):
    q = q_hat.masked_fill(target_probs == 0, 0.0)
    rows = torch.arange(len(actions), device=actions.device)
    w = target_probs[rows, actions] / logged_probs
    ips = (w * rewards).mean()
    total = w.sum()
    snips = torch.where(total > 0, (w * rewards).sum() / total, 0.0)
    predicted = q[rows, actions]
    v = q_hat.masked_fill(target_probs == 0, float('-inf')).amax(dim=1)
    dr = (v + w * (rewards - predicted)).mean()
    return ips, snips, dr
