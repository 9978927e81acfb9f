# expect: wrong
# mistake: The returns carry the gradient of v_next, and they are float32 also if the inputs are float64.
import torch


def lambda_returns(r, v_next, done, gamma, lam) -> torch.Tensor:
    v = torch.where(done, torch.zeros_like(v_next), v_next)
    outs = []
    nxt = v[-1]
    for t in reversed(range(len(r))):
        if done[t]:
            nxt = r[t]
        else:
            nxt = r[t] + gamma * ((1 - lam) * v[t] + lam * nxt)
        outs.append(nxt)
    return torch.stack(outs[::-1]).float()
