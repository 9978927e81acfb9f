# expect: wrong
# mistake: The error is clipped to [-1, 1] and squared, so that the loss is flat beyond 1 where it should go on with slope 1.
import torch


def double_dqn_loss(
    q, q_next_online, q_next_target, a, r, done, gamma, n=1, weights=None
) -> tuple[torch.Tensor, torch.Tensor]:
    value = q.gather(1, a.view(-1, 1)).view(-1)
    with torch.no_grad():
        action = q_next_online.argmax(1)
        later = q_next_target.gather(1, action.view(-1, 1)).view(-1)
        goal = r + gamma**n * torch.where(done, 0.0, later)
    td = goal - value
    # Error clipping as in the Nature paper.
    losses = 0.5 * td.clamp(-1.0, 1.0).pow(2)
    if weights is not None:
        losses = losses * weights.detach()
    return losses.mean(), td.detach()
