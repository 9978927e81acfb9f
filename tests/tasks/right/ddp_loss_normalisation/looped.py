def ddp_loss_normalisation(loss_mat, mask, mode, dp_size, global_tokens, global_seqs):
    # An empty selection adds nothing but ties the result to the graph.
    total = loss_mat[mask].sum() * 0
    for losses, counts in zip(loss_mat, mask.tolist(), strict=True):
        length = sum(counts)
        for t, does_count in enumerate(counts):
            if not does_count:
                continue
            if mode == "token-mean":
                divisor = global_tokens
            elif mode == "seq-mean-token-mean":
                divisor = length * global_seqs
            else:
                divisor = global_seqs
            total = total + losses[t] * (dp_size / divisor)
    return total
