# expect: wrong
# mistake: The target becomes tau * target + (1 - tau) * online instead of (1 - tau) * target + tau * online.
import torch


def ema_update(target: torch.nn.Module, online: torch.nn.Module, tau: float) -> None:
    with torch.no_grad():
        for p_t, p_o in zip(target.parameters(), online.parameters()):
            p_t.mul_(tau).add_(p_o.to(p_t.dtype), alpha=1 - tau)
        for b_t, b_o in zip(target.buffers(), online.buffers()):
            b_t.copy_(b_o)
