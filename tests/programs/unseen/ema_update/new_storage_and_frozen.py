# expect: wrong
# mistake: Each target parameter gets a new tensor as its data instead of being changed in its own memory, and all target parameters are set to not require grad.
import torch


def ema_update(target: torch.nn.Module, online: torch.nn.Module, tau: float) -> None:
    target.requires_grad_(False)
    for t, o in zip(target.parameters(), online.parameters(), strict=True):
        t.data = torch.lerp(t.data, o.data.to(t.dtype), tau)
    for t, o in zip(target.buffers(), online.buffers(), strict=True):
        t.data.copy_(o.data)
