# expect: wrong
# mistake: The weighted losses are divided by the sum of the weights instead of the number of transitions.
import torch
import torch.nn.functional as F


@torch.no_grad()
def n_step_target(q_next_online, q_next_target, r, done, discount):
    best = q_next_online.argmax(dim=1)
    value = q_next_target[torch.arange(len(best)), best]
    return torch.where(done, r, r + discount * value)


def double_dqn_loss(
    q, q_next_online, q_next_target, a, r, done, gamma, n=1, weights=None
) -> tuple[torch.Tensor, torch.Tensor]:
    target = n_step_target(q_next_online, q_next_target, r, done, gamma**n)
    predicted = q[torch.arange(len(a)), a]
    losses = F.huber_loss(predicted, target, reduction="none")
    if weights is None:
        loss = losses.mean()
    else:
        weights = weights.detach()
        loss = (weights * losses).sum() / weights.sum()
    return loss, (target - predicted).detach()
