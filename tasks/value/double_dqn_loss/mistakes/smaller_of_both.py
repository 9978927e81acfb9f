import torch
import torch.nn.functional as F


def double_dqn_loss(q, q_next_online, q_next_target, a, r, done, gamma, n=1, weights=None):
    q_sa = q.gather(1, a.unsqueeze(1)).squeeze(1)
    with torch.no_grad():
        legal = q_next_online > float("-inf")
        best = q_next_target.masked_fill(~legal, float("-inf")).max(1).values
        q_next = torch.minimum(q_next_online.max(1).values, best)
        q_next = q_next.masked_fill(done, 0.0)
        y = r + (gamma ** n) * q_next
    loss = F.smooth_l1_loss(q_sa, y, reduction="none")
    if weights is not None:
        loss = loss * weights.detach()
    td = (y - q_sa).detach()
    return loss.mean(), td
