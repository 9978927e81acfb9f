# expect: right
import torch


def double_dqn_loss(
    q, q_next_online, q_next_target, a, r, done, gamma, n=1, weights=None
) -> tuple[torch.Tensor, torch.Tensor]:
    discount = float(gamma) ** int(n)
    online, frozen, reward = q_next_online.detach(), q_next_target.detach(), r.detach()
    errors, total = [], 0.0
    for i in range(q.shape[0]):
        target = reward[i].clone()
        if not done[i]:
            target = target + discount * frozen[i, int(online[i].argmax())]
        error = target - q[i, int(a[i])]
        size = error.abs()
        loss = 0.5 * error * error if size <= 1 else size - 0.5
        if weights is not None:
            loss = loss * weights[i].detach()
        total = total + loss
        errors.append(error.detach())
    return (total / q.shape[0]).to(q.dtype), torch.stack(errors)
