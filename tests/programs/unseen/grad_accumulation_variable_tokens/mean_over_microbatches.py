# expect: wrong
# mistake: Each microbatch takes its own mean and is divided by the number of microbatches, so that tokens and rows of small ones weigh more.
import torch


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    useful = [mb for mb in microbatches if mb["loss_mask"].any()]
    total = 0.0
    for mb in useful:
        mask = mb["loss_mask"]
        losses = torch.where(mask, model(mb["inputs"]), 0.0)
        lengths = mask.sum(-1)
        live = (lengths > 0).sum()
        if mode == "token-mean":
            loss = losses.sum() / mask.sum()
        elif mode == "seq-mean-token-mean":
            loss = (losses.sum(-1) / lengths.clamp(min=1)).sum() / live
        else:
            loss = (losses.sum(-1) / L_norm).sum() / live
        loss = loss / len(useful)
        loss.backward()
        total = total + loss.detach()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm if max_norm is not None else float("inf"))
    return total, norm
