import torch


def load_balance_aux_loss(logits, mask, k, per_sequence=False, global_counts=None, z_coef=0.0) -> torch.Tensor:
    """Return the load-balancing loss plus z_coef times the z-loss, a 0-dim tensor.

    logits: [B, T, E] float; mask: [B, T] bool, True for real tokens; global_counts: None or [E] int64.
    """
    raise NotImplementedError
