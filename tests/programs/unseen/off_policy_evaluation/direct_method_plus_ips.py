# expect: wrong
# mistake: The doubly robust estimate is the direct estimate plus the full IPS estimate; the prediction for the logged action is not subtracted from its reward.
import torch


def importance_weights(target_probs, logged_probs, actions):
    rows = torch.arange(actions.shape[0])
    return target_probs[rows, actions] / logged_probs


def direct_method(target_probs, q_hat):
    contribution = torch.where(target_probs > 0, target_probs * q_hat, torch.zeros_like(q_hat))
    return contribution.sum(dim=1)


def off_policy_evaluation(target_probs, logged_probs, actions, rewards, q_hat):
    w = importance_weights(target_probs, logged_probs, actions)
    ips = torch.mean(w * rewards)
    snips = torch.sum(w * rewards) / w.sum() if w.sum() != 0 else rewards.new_zeros(())
    dr = torch.mean(direct_method(target_probs, q_hat) + w * rewards)
    return ips, snips, dr
