# expect: wrong
# mistake: In the two sequence modes each microbatch is averaged over its own rows and the microbatches are then weighted equally, instead of averaging over all rows.
import torch


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    total_tokens = sum(mb["loss_mask"].sum().item() for mb in microbatches)
    used = [mb for mb in microbatches if mb["loss_mask"].any()]
    accumulated = []

    for mb in used:
        mask = mb["loss_mask"]
        token_loss = torch.where(mask, model(mb["inputs"]), 0.0)
        if mode == "token-mean":
            loss = token_loss.sum() / total_tokens
        else:
            has_answer = mask.any(dim=1)
            row_sum = token_loss[has_answer].sum(dim=1)
            if mode == "seq-mean-token-mean":
                row_loss = row_sum / mask[has_answer].sum(dim=1)
            else:
                row_loss = row_sum / L_norm
            loss = row_loss.mean() / len(used)
        loss.backward()
        accumulated.append(loss.detach())

    limit = float("inf") if max_norm is None else max_norm
    grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
    return torch.stack(accumulated).sum(), grad_norm.detach()
