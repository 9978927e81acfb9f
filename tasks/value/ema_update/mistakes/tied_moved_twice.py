import torch


@torch.no_grad()
def ema_update(target, online, tau):
    new = dict(online.named_parameters(remove_duplicate=False))
    for name, p_t in target.named_parameters(remove_duplicate=False):
        p_o = new[name]
        p_t.mul_(1 - tau).add_(p_o.to(p_t.dtype), alpha=tau)
    for b_t, b_o in zip(target.buffers(), online.buffers()):
        b_t.copy_(b_o)
