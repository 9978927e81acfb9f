# expect: wrong
# mistake: In "seq-mean-token-sum-norm" the rows are added up instead of averaged.
# mistake: grad_norm is the norm after clipping.
import torch


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    all_tokens = sum(mb["loss_mask"].sum() for mb in microbatches)
    all_rows = sum((mb["loss_mask"].sum(1) > 0).sum() for mb in microbatches)
    loss_sum = torch.zeros(())
    for mb in microbatches:
        mask = mb["loss_mask"]
        token_losses = torch.where(mask, model(mb["inputs"]), 0.0)
        row_sums = token_losses.sum(dim=1)
        if mode == "token-mean":
            loss = row_sums.sum() / all_tokens
        elif mode == "seq-mean-token-mean":
            loss = (row_sums / mask.sum(1).clamp(min=1)).sum() / all_rows
        else:
            loss = (row_sums / L_norm).sum()
        loss.backward()
        loss_sum = loss_sum + loss.detach()
    if max_norm is not None:
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    norms = [p.grad.norm() for p in model.parameters() if p.grad is not None]
    return loss_sum, torch.stack(norms).norm()
