# expect: wrong
# mistake: The smoothing of F.cross_entropy is spread over both classes, so that the label is turned with half the probability asked for.
import torch
import torch.nn.functional as F


def dpo_loss(
    pi_w, pi_l, ref_w, ref_l, beta=0.1, label_smoothing=0.0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    rewards_w = beta * (pi_w - ref_w.detach())
    rewards_l = beta * (pi_l - ref_l.detach())
    # Bradley-Terry is a softmax over the two answers; class 0 is the preferred one.
    scores = torch.stack([rewards_w, rewards_l], dim=-1)
    labels = torch.zeros(scores.shape[0], dtype=torch.long, device=scores.device)
    loss = F.cross_entropy(scores, labels, label_smoothing=label_smoothing)
    return loss, rewards_w.detach(), rewards_l.detach()
