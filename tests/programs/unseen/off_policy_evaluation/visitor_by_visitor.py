# expect: right
import torch


def off_policy_evaluation(target_probs, logged_probs, actions, rewards, q_hat):
    n, num_actions = target_probs.shape
    weighted = rewards.new_zeros(())
    weight_sum = rewards.new_zeros(())
    dr_sum = rewards.new_zeros(())
    for i in range(n):
        a = int(actions[i])
        w = target_probs[i, a] / logged_probs[i]
        weighted = weighted + w * rewards[i]
        weight_sum = weight_sum + w
        for b in range(num_actions):
            if target_probs[i, b] > 0:
                dr_sum = dr_sum + target_probs[i, b] * q_hat[i, b]
        if target_probs[i, a] > 0:
            dr_sum = dr_sum + w * (rewards[i] - q_hat[i, a])
    snips = weighted / weight_sum if weight_sum > 0 else torch.zeros_like(weighted)
    return weighted / n, snips, dr_sum / n
