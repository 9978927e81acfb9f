# expect: wrong
# mistake: All TD errors are computed at once from the initial table and added up, instead of each from the table that the transitions before it have left.
import torch


def td_control(q, s, a, r, s_next, a_next, done, alpha, gamma, method, eps=0.1):
    sn = s_next.masked_fill(done, 0)
    rows = q[sn]
    if method == "q_learning":
        v = rows.max(dim=1).values
    elif method == "sarsa":
        an = a_next.masked_fill(done, 0)
        v = rows.gather(1, an.unsqueeze(1)).squeeze(1)
    else:
        v = eps * rows.mean(dim=1) + (1 - eps) * rows.max(dim=1).values

    target = r + gamma * torch.where(done, torch.zeros_like(v), v)
    errors = target - q[s, a]
    table = q.clone().index_put((s, a), alpha * errors, accumulate=True)
    return table, errors
