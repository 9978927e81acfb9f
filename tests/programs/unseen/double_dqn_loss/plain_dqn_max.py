# expect: wrong
# mistake: The target is the largest legal value of the target network (plain DQN), not its value of the online network's best action.
import torch
import torch.nn.functional as F


def double_dqn_loss(
    q, q_next_online, q_next_target, a, r, done, gamma, n=1, weights=None
) -> tuple[torch.Tensor, torch.Tensor]:
    with torch.no_grad():
        illegal = torch.isneginf(q_next_online)
        next_value = q_next_target.masked_fill(illegal, float("-inf")).max(dim=1).values
        target = torch.where(done, r, r + gamma**n * next_value)
    value = q.gather(1, a[:, None])[:, 0]
    loss = F.smooth_l1_loss(value, target, reduction="none")
    if weights is not None:
        loss = loss * weights.detach()
    return loss.mean(), (target - value).detach()
