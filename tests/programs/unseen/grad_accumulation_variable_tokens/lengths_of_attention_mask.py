# expect: wrong
# mistake: Tokens are counted with the attention mask, prompts included, while the losses are summed with the loss mask.
import torch


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    tokens = sum(mb["attention_mask"].sum() for mb in microbatches)
    rows = sum(mb["loss_mask"].any(dim=1).sum() for mb in microbatches)
    loss = torch.tensor(0.0)
    for mb in microbatches:
        mask = mb["loss_mask"]
        if mask.sum() == 0:
            continue
        out = model(mb["inputs"])
        out = torch.where(mask, out, torch.zeros_like(out))
        if mode == "token-mean":
            piece = out.sum() / tokens
        elif mode == "seq-mean-token-mean":
            lengths = mb["attention_mask"].sum(dim=1).clamp(min=1)
            piece = (out.sum(dim=1) / lengths).sum() / rows
        else:
            piece = (out.sum(dim=1) / L_norm).sum() / rows
        piece.backward()
        loss = loss + piece.detach()
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    norm = torch.linalg.vector_norm(torch.cat([g.flatten() for g in grads]))
    if max_norm is not None:
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    return loss, norm
