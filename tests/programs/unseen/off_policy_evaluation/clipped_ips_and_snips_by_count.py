# expect: wrong
# mistake: The importance weights are clipped at 10 in ips, and snips is divided by the number of visitors with a positive weight instead of by the sum of the weights.
import torch

MAX_WEIGHT = 10.0


def off_policy_evaluation(target_probs, logged_probs, actions, rewards, q_hat):
    n = len(actions)
    chosen = target_probs[range(n), actions]
    w = chosen / logged_probs

    ips = (w.clamp(max=MAX_WEIGHT) * rewards).mean()

    matched = (w > 0).sum()
    snips = (w * rewards).sum() / matched.clamp(min=1)

    q_hat = q_hat.clone()
    q_hat[target_probs == 0] = 0
    expected_q = torch.einsum("na,na->n", target_probs, q_hat)
    dr = (expected_q + w * (rewards - q_hat[range(n), actions])).mean()
    return ips, snips, dr
