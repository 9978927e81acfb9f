# expect: wrong
# mistake: A gradient whose norm is below max_norm is scaled up to it.
import torch


def batch_loss_share(losses, mask, mode, L_norm, tokens, rows):
    losses = losses.masked_fill(~mask, 0)
    if mode == "token-mean":
        return losses.sum() / tokens
    if mode == "seq-mean-token-mean":
        return (losses.sum(1) / mask.sum(1).clamp(min=1)).sum() / rows
    return losses.sum() / (L_norm * rows)


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    tokens = sum(int(mb["loss_mask"].sum()) for mb in microbatches)
    rows = sum(int(mb["loss_mask"].any(dim=1).sum()) for mb in microbatches)
    shares = []
    for mb in microbatches:
        share = batch_loss_share(model(mb["inputs"]), mb["loss_mask"], mode, L_norm, tokens, rows)
        share.backward()
        shares.append(share.detach())
    parameters = [p for p in model.parameters() if p.grad is not None]
    norm = torch.sqrt(sum(p.grad.pow(2).sum() for p in parameters))
    if max_norm is not None:
        for p in parameters:
            p.grad *= max_norm / (norm + 1e-6)
    return torch.stack(shares).sum(), norm
