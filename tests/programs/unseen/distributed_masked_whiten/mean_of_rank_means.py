# expect: wrong
# mistake: The mean is the unweighted average of the local means of the ranks that have unmasked tokens, instead of the mean of all tokens.
import torch
import torch.distributed as dist


def distributed_masked_whiten(x, mask, dp_group, cp_group, eps=1e-8, unbiased=True) -> torch.Tensor:
    def all_sum(t):
        for group in (dp_group, cp_group):
            dist.all_reduce(t, group=group)
        return t

    vals = x[mask].double()
    n_local = vals.numel()
    has_tokens = 1.0 if n_local > 0 else 0.0
    local_mean = vals.mean() if n_local > 0 else torch.zeros((), dtype=torch.float64)

    packed = torch.stack(
        [
            local_mean,
            torch.tensor(has_tokens, dtype=torch.float64),
            torch.tensor(float(n_local), dtype=torch.float64),
        ]
    )
    mean_sum, ranks, count = all_sum(packed).unbind()
    mean = mean_sum / ranks.clamp(min=1.0)

    sq = all_sum((vals - mean).pow(2).sum())
    denom = (count - 1.0 if unbiased else count).clamp(min=1.0)
    std = torch.sqrt(sq / denom + eps)

    whitened = torch.zeros_like(x)
    whitened[mask] = ((vals - mean) / std).float()
    return whitened
