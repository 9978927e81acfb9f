# expect: wrong
# mistake: The recursion multiplies the next step's correction by the trace coefficient of the current step instead of the next step's.
import torch


@torch.no_grad()
def retrace_targets(q, probs, behav_probs, actions, r, discount, lam) -> torch.Tensor:
    T = r.shape[0]
    expected = torch.where(probs > 0, q, torch.zeros_like(q)).mul(probs).sum(-1)
    q_a = q[:-1].gather(1, actions[:, None]).squeeze(1)
    pi_a = probs[:-1].gather(1, actions[:, None]).squeeze(1)
    c = lam * torch.clamp(pi_a / behav_probs, max=1)
    td = r + discount * expected[1:] - q_a
    out = torch.zeros_like(r)
    acc = torch.zeros_like(r[0])
    for t in reversed(range(T)):
        acc = td[t] + discount[t] * c[t] * acc
        out[t] = q_a[t] + acc
    return out
