import torch


def her_relabel(
    achieved, desired, r, done, ends, draws, threshold, strategy="future"
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (source, goal, reward, done) of all transitions, the relabeled copies after the originals.

    achieved, desired: [N, G] float; r: [N] float; done, ends: [N] bool; draws: [N, K] float.
    """
    raise NotImplementedError
