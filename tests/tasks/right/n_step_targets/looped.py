import torch


def n_step_targets(r, v, done, gamma, n):
    rewards, values, ends = r.tolist(), v.tolist(), done.tolist()
    targets = []
    for t in range(len(rewards)):
        total, factor, k = 0.0, 1.0, t
        has_ended = False
        while k < len(rewards) and k < t + n and not has_ended:
            total += factor * rewards[k]
            factor *= gamma
            has_ended = ends[k]
            k += 1
        targets.append(total if has_ended else total + factor * values[k])
    return torch.tensor(targets, dtype=r.dtype, device=r.device)
