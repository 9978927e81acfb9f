# expect: wrong
# mistake: If fewer than n steps are left and the episode continues, no value is added instead of that of the state after the last step, and the targets still carry the gradient of v.
import torch


def n_step_targets(r, v, done, gamma, n):
    T = r.shape[0]
    rows = []
    for t in range(T):
        ret = r.new_zeros(())
        discount = 1.0
        alive = True
        for i in range(t, min(t + n, T)):
            ret = ret + discount * r[i]
            discount *= gamma
            if done[i]:
                alive = False
                break
        if alive and t + n <= T:
            ret = ret + discount * v[t + n]
        rows.append(ret)
    return torch.stack(rows)
