"""Plays the ranks one after the other: adds up what they return for their microbatches and averages over the ranks."""

import torch


def drive(entry, args):
    """Return the averaged loss, the sum of each rank, and whether every loss can go backward."""
    loss_mat, mask = args["loss_mat"], args["mask"]
    tokens, rows = int(mask.sum()), int(mask.any(dim=1).sum())
    sums, losses = [], []
    for microbatches in args["ranks"]:
        of_rank = []
        for first, end, width in microbatches:
            part = loss_mat[first:end, :width], mask[first:end, :width]
            of_rank.append(entry(*part, args["mode"], len(args["ranks"]), tokens, rows))
        sums.append(torch.stack(of_rank).sum(dim=0))
        losses += of_rank
    by_rank = torch.stack(sums)
    return {
        "loss": by_rank.mean(),
        "by_rank": by_rank.detach(),
        "can_go_backward": all(loss.requires_grad for loss in losses),
    }
