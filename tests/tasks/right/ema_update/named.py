import torch


@torch.no_grad()
def ema_update(target, online, tau):
    sources = dict(online.named_parameters(remove_duplicate=False))
    seen = set()
    for name, parameter in target.named_parameters(remove_duplicate=False):
        if id(parameter) not in seen:
            seen.add(id(parameter))
            parameter.lerp_(sources[name].detach().to(parameter.dtype), tau)
    sources = dict(online.named_buffers(remove_duplicate=False))
    for name, buffer in target.named_buffers(remove_duplicate=False):
        buffer.copy_(sources[name])
