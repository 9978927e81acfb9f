def cql_loss(q, a, target, alpha):
    taken = q.gather(1, a.unsqueeze(1)).squeeze(1)
    gap = q.logsumexp(dim=1) - taken
    loss = (0.5 * (taken - target.detach()).square() + alpha * gap).mean()
    return loss, gap.detach().mean()
