import torch


def ema_update(target, online, tau):
    mine = [p.detach() for p in target.parameters()]
    theirs = [p.detach().to(m.dtype) for m, p in zip(mine, online.parameters(), strict=True)]
    if mine:
        torch._foreach_lerp_(mine, theirs, tau)
    for ours, new in zip(target.buffers(), online.buffers(), strict=True):
        ours.detach().copy_(new.detach())
