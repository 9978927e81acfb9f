import torch


def dueling_head(v, adv, legal):
    state, column = legal.nonzero(as_tuple=True)
    known = adv[state, column]
    zeros = torch.zeros_like(v[:, 0])
    sums = zeros.index_add(0, state, known)
    counts = zeros.index_add(0, state, torch.ones_like(known))
    values = v[state, 0] + known - sums[state] / counts[state]
    q = torch.full_like(adv, -torch.inf).index_put((state, column), values)
    action = q.argmax(dim=1)
    best = q.amax(dim=1).detach()
    is_over = counts == 0
    action[is_over] = -1
    best[is_over] = 0.0
    return q, action, best
