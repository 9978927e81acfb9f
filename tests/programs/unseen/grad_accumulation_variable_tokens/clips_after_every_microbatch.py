# expect: wrong
# mistake: The accumulated gradient is clipped after every microbatch instead of once for the whole batch.
import torch


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    params = [p for p in model.parameters() if p.requires_grad]
    tokens = 0
    rows = 0
    for mb in microbatches:
        tokens += mb["loss_mask"].sum().item()
        rows += mb["loss_mask"].any(-1).sum().item()

    clip_to = max_norm if max_norm is not None else float("inf")
    loss = torch.zeros(())
    grad_norm = torch.zeros(())
    for mb in microbatches:
        mask = mb["loss_mask"]
        if mask.sum() == 0:
            continue
        out = model(mb["inputs"]).masked_fill(~mask, 0.0)
        sums = out.sum(-1)
        if mode == "token-mean":
            part = sums.sum() / tokens
        elif mode == "seq-mean-token-mean":
            part = (sums / mask.sum(-1).clamp(min=1)).sum() / rows
        elif mode == "seq-mean-token-sum-norm":
            part = (sums / L_norm).sum() / rows
        else:
            raise ValueError(f"unknown mode: {mode}")
        part.backward()
        loss = loss + part.detach()
        grad_norm = torch.nn.utils.clip_grad_norm_(params, clip_to)
    return loss, grad_norm
