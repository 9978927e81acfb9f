import torch


def build_loss_mask(role, eos_id, tokens) -> torch.Tensor:
    """Return a bool mask [T - 1]: entry t is True if the policy generated token t + 1.

    role: [T] int64 (3 is the assistant); eos_id: an int or a list of ints; tokens: [T] int64.
    """
    raise NotImplementedError
