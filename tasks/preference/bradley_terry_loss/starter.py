import torch


def bradley_terry_loss(r_chosen, r_rejected, margin=0.0) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (loss, acc), two 0-dim float32 tensors; the loss is minimized.

    r_chosen, r_rejected: [B] float, the scores of the preferred and the other answer; margin: number or [B].
    """
    raise NotImplementedError
