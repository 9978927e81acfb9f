# expect: wrong
# mistake: If the sum of the importance weights is 0, snips is a float32 zero even when the rewards are float64.
import torch


def off_policy_evaluation(target_probs, logged_probs, actions, rewards, q_hat):
    support = target_probs > 0
    q = torch.where(support, q_hat, torch.zeros((), dtype=q_hat.dtype))
    one_hot = torch.nn.functional.one_hot(actions, target_probs.shape[1]).to(target_probs.dtype)

    weights = (target_probs * one_hot).sum(1) / logged_probs
    ips = (weights * rewards).mean()

    if weights.sum() == 0:
        snips = torch.tensor(0.0)
    else:
        snips = (weights * rewards).sum() / weights.sum()

    baseline = (target_probs * q).sum(1)
    correction = weights * (rewards - (q * one_hot).sum(1))
    dr = (baseline + correction).mean()
    return ips, snips, dr
