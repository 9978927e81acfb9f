# expect: wrong
# mistake: The target network chooses the later action and the online network values it; it should be the other way round.
# mistake: td is the value minus the target instead of the target minus the value.
import torch
import torch.nn.functional as F


def double_dqn_loss(
    q, q_next_online, q_next_target, a, r, done, gamma, n=1, weights=None
) -> tuple[torch.Tensor, torch.Tensor]:
    q_a = q.gather(1, a[:, None]).squeeze(1)
    with torch.no_grad():
        legal = q_next_online != float("-inf")
        scores = q_next_target.masked_fill(~legal, float("-inf"))
        selected = scores.argmax(dim=1, keepdim=True)
        q_next = q_next_online.gather(1, selected).squeeze(1)
        q_next = torch.where(done, torch.zeros_like(q_next), q_next)
        target = r + gamma**n * q_next
    loss = F.smooth_l1_loss(q_a, target, reduction="none")
    if weights is not None:
        loss = weights.detach() * loss
    td = (q_a - target).detach()
    return loss.mean(), td
