import torch
from torch.nn.utils import clip_grad_norm_


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    """Accumulate plain sums, divide the gradients once at the end."""
    counts = torch.cat([b["loss_mask"].sum(1) for b in microbatches])
    divisor = {
        "token-mean": counts.sum(),
        "seq-mean-token-mean": counts.count_nonzero(),
        "seq-mean-token-sum-norm": counts.count_nonzero() * (L_norm or 1),
    }[mode]
    total = 0
    for b in microbatches:
        mask = b["loss_mask"]
        if mode == "seq-mean-token-mean":
            if not mask.any():
                continue
            pairs = zip(model(b["inputs"]), mask, strict=False)
            out = torch.stack([torch.masked_select(x, m).mean() for x, m in pairs if m.any()]).sum()
        else:
            if not mask.any():
                continue
            out = torch.masked_select(model(b["inputs"]), mask).sum()
        out.backward()
        total += out.detach()
    for p in model.parameters():
        p.grad.div_(divisor)
    norm = clip_grad_norm_(model.parameters(), max_norm if max_norm is not None else 1e30)
    return total / divisor, norm
