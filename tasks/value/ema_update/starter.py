import torch


def ema_update(target: torch.nn.Module, online: torch.nn.Module, tau: float) -> None:
    """Move the parameters of `target` toward those of `online` in place, and copy the buffers."""
    raise NotImplementedError
