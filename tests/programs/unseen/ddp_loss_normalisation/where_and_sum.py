# expect: right
import torch


def ddp_loss_normalisation(loss_mat, mask, mode, dp_size, global_tokens, global_seqs) -> torch.Tensor:
    """Return the loss of one microbatch of one rank, for gradients that are averaged over ranks."""
    clean = torch.where(mask, loss_mat, torch.zeros_like(loss_mat))
    if mode == "token-mean":
        return clean.sum() * (dp_size / global_tokens)
    row_sums = clean.sum(dim=1)
    if mode == "seq-mean-token-mean":
        row_sums = row_sums / mask.sum(dim=1).clamp(min=1)
    elif mode != "seq-mean-token-sum":
        raise ValueError(f"unknown mode {mode!r}")
    return row_sums.sum() * (dp_size / global_seqs)
