# expect: wrong
# mistake: Near the end of the trajectory, the value of the state after the last step is discounted by gamma to the power n, instead of to the power of the number of steps that are left.
import torch


def n_step_targets(r, v, done, gamma, n):
    T = len(r)
    targets = torch.zeros_like(r)
    rewards, values = r.detach(), v.detach()
    boot = gamma ** n
    for t in range(T):
        ended = False
        total = 0.0
        for k in range(n):
            if t + k >= T:
                break
            total = total + gamma ** k * rewards[t + k]
            if done[t + k]:
                ended = True
                break
        if not ended:
            total = total + boot * values[min(t + n, T)]
        targets[t] = total
    return targets
