# expect: wrong
# mistake: In the sequence modes the mean over rows is divided by all rows, including those without an answer token.
import torch


def _token_weights(mask, mode, L_norm, tokens, rows, dtype):
    m = mask.to(dtype)
    if mode == "token-mean":
        return m / tokens
    if mode == "seq-mean-token-mean":
        lengths = mask.sum(dim=-1, keepdim=True).clamp(min=1)
        return m / (lengths * rows)
    return m / (L_norm * rows)


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    tokens = sum(int(mb["loss_mask"].sum()) for mb in microbatches)
    rows = sum(mb["loss_mask"].shape[0] for mb in microbatches)

    losses = []
    for mb in microbatches:
        mask = mb["loss_mask"]
        if not bool(mask.any()):
            continue
        per_token = model(mb["inputs"])
        w = _token_weights(mask, mode, L_norm, tokens, rows, per_token.dtype)
        contribution = (per_token.masked_fill(~mask, 0) * w).sum()
        contribution.backward()
        losses.append(contribution.detach())

    norm = torch.nn.utils.clip_grad_norm_(
        model.parameters(), max_norm if max_norm is not None else float("inf")
    )
    return sum(losses), norm
