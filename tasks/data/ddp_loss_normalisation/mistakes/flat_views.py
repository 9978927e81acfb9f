import torch


def ddp_loss_normalisation(loss_mat, mask, mode, dp_size, global_tokens, global_seqs):
    flat, keep = loss_mat.view(-1), mask.view(-1)
    rows, width = mask.shape
    row = torch.arange(rows, device=mask.device).repeat_interleave(width)
    per_row = torch.zeros(rows, dtype=loss_mat.dtype, device=mask.device)
    per_row = per_row.index_add(0, row[keep], flat[keep])
    if mode == "seq-mean-token-mean":
        per_row = per_row / mask.sum(dim=1).clamp(min=1)
    count = global_tokens if mode == "token-mean" else global_seqs
    return per_row.sum() * dp_size / count
