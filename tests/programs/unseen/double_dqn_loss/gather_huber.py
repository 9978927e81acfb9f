# expect: right
import torch
import torch.nn.functional as F


def double_dqn_loss(
    q, q_next_online, q_next_target, a, r, done, gamma, n=1, weights=None
) -> tuple[torch.Tensor, torch.Tensor]:
    chosen = q.gather(1, a.unsqueeze(1)).squeeze(1)
    with torch.no_grad():
        best = q_next_online.masked_fill(done.unsqueeze(1), 0.0).argmax(dim=1, keepdim=True)
        future = q_next_target.gather(1, best).squeeze(1)
        future = torch.where(done, torch.zeros_like(future), future)
        target = r + gamma**n * future
        td = target - chosen
    losses = F.huber_loss(chosen, target.to(chosen.dtype), reduction="none", delta=1.0)
    if weights is not None:
        losses = losses * weights.detach().to(losses.dtype)
    return losses.mean(), td
