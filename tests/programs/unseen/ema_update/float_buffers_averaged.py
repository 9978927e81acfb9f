# expect: wrong
# mistake: Floating-point buffers move the fraction tau toward the online buffers instead of getting their values; only integer buffers are copied.
import torch


def _mix_(dst, src, tau):
    src = src.detach().to(dst.dtype)
    dst.lerp_(src, tau)


@torch.no_grad()
def ema_update(target: torch.nn.Module, online: torch.nn.Module, tau: float) -> None:
    for dst, src in zip(target.parameters(), online.parameters(), strict=True):
        _mix_(dst, src, tau)

    for dst, src in zip(target.buffers(), online.buffers(), strict=True):
        if dst.is_floating_point():
            _mix_(dst, src, tau)
        else:
            dst.copy_(src)
