# expect: wrong
# mistake: In the penalty, the value of the data set's action is detached, so that the penalty only pushes the soft maximum down and does not push the data action's value up.
import torch


def cql_loss(q, a, target, alpha):
    rows = torch.arange(q.shape[0], device=q.device)
    q_a = q[rows, a]
    bellman = 0.5 * (q_a - target.detach()).pow(2)
    gaps = torch.logsumexp(q, dim=-1) - q_a.detach()
    loss = torch.mean(bellman + alpha * gaps)
    with torch.no_grad():
        mean_gap = gaps.mean()
    return loss, mean_gap.detach()
