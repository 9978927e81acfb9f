# expect: wrong
# mistake: The expected value is the plain sum of probs times q, so an -inf or NaN value of an action with probability 0 makes the targets NaN.
import torch


@torch.no_grad()
def retrace_targets(q, probs, behav_probs, actions, r, discount, lam) -> torch.Tensor:
    def of_actions(table):
        return table[:-1].gather(1, actions.unsqueeze(1)).squeeze(1)

    expected_q = torch.einsum("ta,ta->t", probs, q)[1:]
    q_taken = of_actions(q)
    traces = lam * torch.clamp(of_actions(probs) / behav_probs, max=1.0)
    errors = r + discount * expected_q - q_taken

    corrections = errors.clone()
    for t in range(len(r) - 2, -1, -1):
        corrections[t] += discount[t] * traces[t + 1] * corrections[t + 1]
    return q_taken + corrections
