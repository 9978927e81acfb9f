import torch


def dpo_loss(
    pi_w, pi_l, ref_w, ref_l, beta=0.1, label_smoothing=0.0
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (loss, rewards_w, rewards_l): a 0-dim loss to minimize, and the implied rewards, [B] each.

    pi_w, pi_l, ref_w, ref_l: [B] float, summed log-probabilities of the preferred (w) and the rejected (l) answer.
    """
    raise NotImplementedError
