# expect: wrong
# mistake: The mean is taken in each row first and then over the rows, so that tokens of short rows weigh more.
import torch


def entropy_from_logits(logits, mask) -> tuple[torch.Tensor, torch.Tensor]:
    logits = logits.to(torch.float32)
    if mask is None:
        mask = logits.new_ones(logits.shape[:-1], dtype=torch.bool)
    logits = logits.masked_fill(~mask.unsqueeze(-1), 0.0)
    logp = torch.log_softmax(logits, dim=-1)
    p = logp.exp()
    entropy = -(p * logp.masked_fill(logp == float("-inf"), 0.0)).sum(-1)
    entropy = entropy.masked_fill(~mask, 0.0)
    if entropy.dim() == 0:
        return entropy, entropy
    counts = mask.sum(dim=-1)
    row_means = entropy.sum(dim=-1) / counts.clamp(min=1)
    mean = row_means.sum() / (counts > 0).sum().clamp(min=1)
    return mean, entropy
