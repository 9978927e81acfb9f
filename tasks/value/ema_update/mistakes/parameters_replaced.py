import torch


@torch.no_grad()
def ema_update(target, online, tau):
    old = dict(target.named_parameters())
    for name, p_o in online.named_parameters():
        place, _, leaf = name.rpartition(".")
        mixed = (1 - tau) * old[name] + tau * p_o.to(old[name].dtype)
        fresh = torch.nn.Parameter(mixed, requires_grad=old[name].requires_grad)
        for other, p in target.named_parameters(remove_duplicate=False):
            if p is old[name]:
                setattr(target.get_submodule(other.rpartition(".")[0]), other.rpartition(".")[2], fresh)
    for b_t, b_o in zip(target.buffers(), online.buffers()):
        b_t.copy_(b_o)
