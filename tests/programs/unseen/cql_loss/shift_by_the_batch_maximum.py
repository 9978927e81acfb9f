# expect: wrong
# mistake: The logarithm of the summed exponentials is stabilized with the maximum of the whole batch instead of each state's own, so that it underflows to -inf for a state whose values are far below those of another state.
import torch


def cql_loss(q, a, target, alpha):
    B = q.shape[0]
    shift = q.detach().max()
    exps = torch.exp(q - shift)
    lse = torch.log(exps.sum(dim=1)) + shift
    qa = q[torch.arange(B), a]
    gap = lse - qa
    loss = (0.5 * (qa - target.detach()) ** 2 + alpha * gap).mean()
    return loss, gap.detach().mean()
