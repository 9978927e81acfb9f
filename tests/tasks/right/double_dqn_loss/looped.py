import torch


def double_dqn_loss(q, q_next_online, q_next_target, a, r, done, gamma, n=1, weights=None):
    discount = 1.0
    for _ in range(n):
        discount *= gamma
    total, errors = 0.0, []
    for i in range(q.shape[0]):
        target = r[i].detach()
        if not done[i]:
            best, best_value = -1, -float("inf")
            for action in range(q.shape[1]):
                if q_next_online[i, action].item() > best_value:
                    best, best_value = action, q_next_online[i, action].item()
            target = target + discount * q_next_target[i, best].detach()
        error = target - q[i, int(a[i])]
        loss = 0.5 * error * error if abs(error.item()) < 1 else abs(error) - 0.5
        total = total + (loss if weights is None else weights[i].item() * loss)
        errors.append(error.detach())
    return total / q.shape[0], torch.stack(errors)
