"""Each microbatch adds its share of one sum over the batch; the divisor is known before the first forward pass."""

import torch


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    """Leave the whole batch's gradient in the parameters; return its loss and the gradient's norm before clipping.

    Shapes: inputs [B, T, D]; attention_mask and loss_mask [B, T].
    Source: arXiv:2503.14476, section 3.3; arXiv:2503.20783, section 3.2.
    """
    counts = [batch["loss_mask"].sum(dim=1) for batch in microbatches]
    tokens = sum(count.sum() for count in counts)
    rows = sum((count > 0).sum() for count in counts)
    total = torch.zeros((), device=tokens.device)
    for batch, count in zip(microbatches, counts, strict=True):
        losses = torch.where(batch["loss_mask"], model(batch["inputs"]), 0.0).sum(dim=1)
        if mode == "token-mean":
            share = losses.sum() / tokens
        elif mode == "seq-mean-token-mean":
            share = (losses / count.clamp(min=1)).sum() / rows
        else:
            share = losses.sum() / L_norm / rows
        share.backward()
        total += share.detach()
    limit = float("inf") if max_norm is None else max_norm
    return total, torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
