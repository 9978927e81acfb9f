"""Whether a position is padding follows from the length of its row, not from its token."""

import torch


def tuning_loss(model, rows, pad_id, max_length):
    """Return the loss, 0-dim, and the attention and the labels of the batch, [B, T] each.

    Assumes: the batch has at least one token with a loss.
    Source: https://github.com/huggingface/transformers/issues/23530 (only padding should be ignored).
    """
    lengths = torch.tensor([len(row["tokens"]) for row in rows]).clamp(max=max_length)
    width = int(lengths.max())
    attention = torch.arange(width) < lengths[:, None]
    labels = torch.full(attention.shape, -100)
    total, count = model.new_zeros(()), 0
    for i, row in enumerate(rows):
        tokens, counts = row["tokens"][: lengths[i]], row["from_assistant"][: lengths[i]]
        labels[i, : lengths[i]] = torch.where(counts, tokens, -100)
        before, after = tokens[:-1][counts[1:]], tokens[1:][counts[1:]]
        total = total - model.log_softmax(dim=1)[before, after].sum()
        count += len(after)
    return total / count, attention, labels
