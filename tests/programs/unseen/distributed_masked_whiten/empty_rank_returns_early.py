# expect: wrong
# mistake: A rank without unmasked tokens returns zeros before the collectives, so the other ranks wait for calls that it never makes.
import torch
import torch.distributed as dist


def distributed_masked_whiten(x, mask, dp_group, cp_group, eps=1e-8, unbiased=True):
    out = torch.zeros_like(x, dtype=torch.float32)
    if not mask.any():
        return out

    v = x[mask].to(torch.float64)

    s = torch.tensor([v.sum().item(), v.numel()], dtype=torch.float64)
    dist.all_reduce(s, group=dp_group)
    dist.all_reduce(s, group=cp_group)
    mean = (s[0] / s[1]).item()
    n = int(s[1].item())

    dev = v - mean
    ss = torch.tensor([(dev * dev).sum().item()], dtype=torch.float64)
    dist.all_reduce(ss, group=dp_group)
    dist.all_reduce(ss, group=cp_group)
    dof = max(n - 1, 1) if unbiased else n
    var = ss.item() / dof

    out[mask] = (dev / (var + eps) ** 0.5).to(torch.float32)
    return out
