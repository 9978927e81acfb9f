# expect: right
import torch
import torch.distributed as dist


def _merge(stats):
    """Chan's formula for a list of (n, mean, sum of squared deviations)."""
    n, mean, m2 = 0.0, 0.0, 0.0
    for nb, mb, sb in stats:
        if nb == 0:
            continue
        if n == 0:
            n, mean, m2 = nb, mb, sb
            continue
        d = mb - mean
        t = n + nb
        mean = mean + d * (nb / t)
        m2 = m2 + sb + d * d * (n * nb / t)
        n = t
    return n, mean, m2


def _gather(stats, group):
    mine = torch.tensor(stats, dtype=torch.float64)
    everyone = [torch.empty_like(mine) for _ in range(dist.get_world_size(group))]
    dist.all_gather(everyone, mine, group=group)
    return [tuple(t.tolist()) for t in everyone]


@torch.no_grad()
def distributed_masked_whiten(x, mask, dp_group, cp_group, eps=1e-8, unbiased=True):
    vals = torch.masked_select(x, mask).double()
    n = vals.numel()
    mean = vals.mean().item() if n else 0.0
    m2 = (vals - mean).square().sum().item()

    n, mean, m2 = _merge(_gather(_merge(_gather((float(n), mean, m2), cp_group)), dp_group))
    if n == 0 or m2 == 0:
        return torch.zeros_like(x, dtype=torch.float32)
    var = m2 / (n - 1 if unbiased else n)
    safe = torch.where(mask, x, torch.full_like(x, mean)).double()
    z = (safe - mean) * (var + eps) ** -0.5
    return torch.where(mask, z, torch.zeros_like(z)).float()
