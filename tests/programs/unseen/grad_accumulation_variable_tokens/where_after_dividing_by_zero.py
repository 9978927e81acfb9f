# expect: wrong
# mistake: In mode seq-mean-token-mean a row without answer tokens is divided by 0 before it is dropped with torch.where, which leaves the loss right but makes the gradient NaN.
import torch


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    n_tok = sum(mb["loss_mask"].sum() for mb in microbatches)
    n_row = sum((mb["loss_mask"].sum(1) > 0).sum() for mb in microbatches)
    history = []

    for mb in microbatches:
        mask = mb["loss_mask"]
        count = mask.sum(1)
        if count.sum() == 0:
            continue
        per_row = (model(mb["inputs"]) * mask).sum(1)

        if mode == "token-mean":
            loss = per_row.sum() / n_tok
        elif mode == "seq-mean-token-mean":
            mean = per_row / count
            mean = torch.where(count > 0, mean, torch.zeros_like(mean))
            loss = mean.sum() / n_row
        else:
            loss = per_row.sum() / L_norm / n_row

        loss.backward()
        history.append(loss.detach())

    grad_norm = torch.nn.utils.clip_grad_norm_(
        model.parameters(), float("inf") if max_norm is None else max_norm
    )
    return torch.stack(history).sum(), grad_norm
