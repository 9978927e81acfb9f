import torch


@torch.no_grad()
def ema_update(target, online, tau):
    for p_t, p_o in zip(target.parameters(), online.parameters()):
        p_t.mul_(1 - tau).add_(p_o.to(p_t.dtype), alpha=tau)
    for b_t, b_o in zip(target.buffers(), online.buffers()):
        b_t.copy_(b_o)
    return target
