# expect: wrong
# mistake: The TD error bootstraps from the largest value of the next state instead of the expected value under the current policy.
import torch


@torch.no_grad()
def retrace_targets(q, probs, behav_probs, actions, r, discount, lam) -> torch.Tensor:
    n = r.shape[0]
    allowed = probs > 0
    state_value = q.masked_fill(~allowed, float("-inf")).max(dim=1).values
    idx = torch.arange(n, device=q.device)
    taken = q[idx, actions]
    ratio = probs[idx, actions] / behav_probs
    coef = lam * torch.minimum(ratio, torch.ones_like(ratio))
    delta = r + discount * state_value[1:] - taken
    targets = torch.empty_like(r)
    carry = 0.0
    for i in range(n - 1, -1, -1):
        if i + 1 < n:
            carry = delta[i] + discount[i] * coef[i + 1] * carry
        else:
            carry = delta[i]
        targets[i] = taken[i] + carry
    return targets
