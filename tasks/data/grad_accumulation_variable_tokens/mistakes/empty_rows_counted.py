import torch


def grad_accumulation_variable_tokens(model, microbatches, mode, L_norm=None, max_norm=None):
    masks = [mb["loss_mask"] for mb in microbatches]
    total_tokens = sum(m.sum() for m in masks)
    total_seqs = sum(len(m) for m in masks)
    loss = 0.0
    for mb, mask in zip(microbatches, masks):
        tok_loss = model(mb["inputs"]) * mask
        if mode == "token-mean":
            mb_loss = tok_loss.sum() / total_tokens
        elif mode == "seq-mean-token-mean":
            seq = tok_loss.sum(1) / mask.sum(1).clamp(min=1)
            mb_loss = seq.sum() / total_seqs
        else:
            seq = tok_loss.sum(1) / L_norm
            mb_loss = seq.sum() / total_seqs
        mb_loss.backward()
        loss = loss + mb_loss.detach()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm or float("inf"))
    return loss, norm
