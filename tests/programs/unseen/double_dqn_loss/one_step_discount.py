# expect: wrong
# mistake: The later state is discounted by gamma for a single step, whatever n is.
import torch
from torch.nn.functional import huber_loss


def double_dqn_loss(
    q, q_next_online, q_next_target, a, r, done, gamma, n=1, weights=None
) -> tuple[torch.Tensor, torch.Tensor]:
    rows = torch.arange(q.size(0), device=q.device)
    q_taken = q[rows, a]
    with torch.no_grad():
        a_star = q_next_online.argmax(-1)
        bootstrap = q_next_target[rows, a_star].masked_fill(done, 0.0)
        y = r + gamma * bootstrap
    per_sample = huber_loss(q_taken, y, reduction="none")
    w = torch.ones_like(per_sample) if weights is None else weights.detach()
    return (w * per_sample).mean(), y - q_taken.detach()
