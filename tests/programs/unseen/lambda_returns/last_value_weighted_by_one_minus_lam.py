# expect: wrong
# mistake: The recursion starts from 0 behind the last step, so that the value of the state after the last step gets the weight 1 - lam instead of 1.
import torch


def lambda_returns(r, v_next, done, gamma, lam) -> torch.Tensor:
    v_next = torch.where(done, torch.zeros_like(v_next), v_next).detach()
    returns = torch.zeros_like(r)
    g = torch.zeros((), dtype=r.dtype, device=r.device)
    for t in reversed(range(len(r))):
        g = torch.where(done[t], torch.zeros_like(g), g)
        g = r[t].detach() + gamma * ((1 - lam) * v_next[t] + lam * g)
        returns[t] = g
    return returns.detach()
