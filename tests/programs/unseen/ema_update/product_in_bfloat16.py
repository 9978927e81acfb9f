# expect: wrong
# mistake: With a bfloat16 online parameter, tau times the parameter is computed and rounded in bfloat16 before it is added to the target.
import torch


@torch.no_grad()
def ema_update(target: torch.nn.Module, online: torch.nn.Module, tau: float) -> None:
    online_params = dict(online.named_parameters())
    online_buffers = dict(online.named_buffers())
    for name, p in target.named_parameters():
        p.mul_(1 - tau)
        p.add_(tau * online_params[name])
    for name, b in target.named_buffers():
        b.copy_(online_buffers[name])
