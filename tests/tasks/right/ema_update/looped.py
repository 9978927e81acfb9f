import torch


def ema_update(target, online, tau):
    with torch.no_grad():
        # named_parameters lists a tied parameter once.
        for mine, theirs in zip(target.parameters(), online.parameters(), strict=True):
            mine.mul_(1 - tau).add_(theirs.to(mine.dtype), alpha=tau)
        for mine, theirs in zip(target.buffers(), online.buffers(), strict=True):
            mine.copy_(theirs)
