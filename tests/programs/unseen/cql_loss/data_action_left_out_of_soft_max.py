# expect: wrong
# mistake: The soft maximum is taken over all actions except the one in the data set, instead of over all actions.
import torch


def cql_loss(q, a, target, alpha):
    idx = a[:, None]
    q_data = q.gather(1, idx)[:, 0]
    # out-of-distribution actions: everything the data set did not choose
    ood = q.scatter(1, idx, float("-inf"))
    soft_max = torch.logsumexp(ood, dim=1)
    gap = soft_max - q_data
    td_error = q_data - target.detach()
    loss = (0.5 * td_error ** 2 + alpha * gap).mean()
    return loss, gap.mean().detach()
