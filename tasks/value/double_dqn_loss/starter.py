import torch


def double_dqn_loss(
    q, q_next_online, q_next_target, a, r, done, gamma, n=1, weights=None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (loss, td): a 0-dim loss to minimize and the errors [B], target minus value.

    q, q_next_online, q_next_target: [B, A] float; a: [B] int64; r: [B] float; done: [B] bool; weights: [B] or None.
    """
    raise NotImplementedError
