import torch


@torch.no_grad()
def ema_update(target, online, tau):
    for p_t, p_o in zip(target.parameters(), online.parameters()):
        p_t.mul_(1 - tau).add_(p_o.to(p_t.dtype), alpha=tau)
    for m_t, m_o in zip(target.modules(), online.modules()):
        for name, value in m_o._buffers.items():
            m_t._buffers[name] = value
