# expect: wrong
# mistake: The later value is multiplied by 1 - done, so that a NaN or an infinity in a finished row reaches the target.
import torch
import torch.nn.functional as F


def double_dqn_loss(
    q, q_next_online, q_next_target, a, r, done, gamma, n=1, weights=None
) -> tuple[torch.Tensor, torch.Tensor]:
    current = q.gather(1, a.unsqueeze(-1)).squeeze(-1)
    with torch.no_grad():
        next_actions = q_next_online.argmax(dim=-1, keepdim=True)
        next_values = q_next_target.gather(-1, next_actions).squeeze(-1)
        not_done = 1.0 - done.to(next_values.dtype)
        targets = r + (gamma**n) * not_done * next_values
    elementwise = F.smooth_l1_loss(current, targets, beta=1.0, reduction="none")
    if weights is not None:
        elementwise = elementwise * weights.detach()
    td = targets - current.detach()
    return elementwise.mean(), td
