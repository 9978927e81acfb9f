# expect: right
import torch


@torch.no_grad()
def ema_update(target: torch.nn.Module, online: torch.nn.Module, tau: float) -> None:
    done = set()
    for mine, other in zip(target.modules(), online.modules(), strict=True):
        for name, p in mine._parameters.items():
            if p is None or id(p) in done:
                continue
            done.add(id(p))
            source = other._parameters[name].detach().to(p.dtype)
            p.add_(source - p, alpha=tau)
        for name, b in mine._buffers.items():
            if b is not None:
                b.copy_(other._buffers[name])
