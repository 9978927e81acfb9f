# expect: right
import torch


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    """Leave the gradient of the whole batch in the parameters; return (loss, norm of the gradient before clipping)."""
    lengths = [micro["loss_mask"].sum(dim=1) for micro in microbatches]
    tokens = sum(int(length.sum()) for length in lengths)
    rows = sum(int((length > 0).sum()) for length in lengths)

    total = None
    for micro, length in zip(microbatches, lengths):
        mask = micro["loss_mask"]
        if not mask.any():
            continue
        losses = model(micro["inputs"])
        losses = torch.where(mask, losses, torch.zeros_like(losses))
        if mode == "token-mean":
            share = losses.sum() / tokens
        elif mode == "seq-mean-token-mean":
            share = (losses.sum(dim=1) / length.clamp(min=1)).sum() / rows
        elif mode == "seq-mean-token-sum-norm":
            share = losses.sum() / L_norm / rows
        else:
            raise ValueError(f"unknown mode {mode!r}")
        share.backward()
        total = share.detach() if total is None else total + share.detach()

    bound = float("inf") if max_norm is None else max_norm
    norm = torch.nn.utils.clip_grad_norm_(list(model.parameters()), bound)
    return total, norm.detach()
