# expect: wrong
# mistake: Rows without a token that counts are counted among the rows.
import torch


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    n_tokens = sum(mb["loss_mask"].sum().item() for mb in microbatches)
    n_rows = sum(mb["loss_mask"].shape[0] for mb in microbatches)
    running = torch.zeros(())
    for mb in microbatches:
        mask = mb["loss_mask"]
        losses = model(mb["inputs"]).masked_fill(~mask, 0.0)
        if mode == "token-mean":
            loss = losses.sum() / n_tokens
        else:
            row = losses.sum(dim=1)
            divisor = mask.sum(dim=1).clamp(min=1) if mode == "seq-mean-token-mean" else L_norm
            loss = (row / divisor).sum() / n_rows
        loss.backward()
        running += loss.detach()
    limit = float("inf") if max_norm is None else float(max_norm)
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
    return running, norm
