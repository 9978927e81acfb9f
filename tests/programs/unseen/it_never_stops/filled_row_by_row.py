# expect: right
import torch

IGNORED = -100


def tuning_loss(model, rows, pad_id, max_length):
    """Return the loss of a batch, and the attention and the labels that it was computed with."""
    lengths = [min(len(row["tokens"]), max_length) for row in rows]
    shape = (len(rows), max(lengths))
    tokens = torch.full(shape, pad_id, dtype=torch.int64)
    labels = torch.full(shape, IGNORED, dtype=torch.int64)
    attention = torch.zeros(shape, dtype=torch.bool)
    for i, (row, n) in enumerate(zip(rows, lengths)):
        ids = row["tokens"][:n]
        tokens[i, :n] = ids
        labels[i, :n] = torch.where(row["from_assistant"][:n], ids, torch.full_like(ids, IGNORED))
        attention[i, :n] = True

    targets = labels[:, 1:]
    counted = targets != IGNORED
    logprobs = model.log_softmax(dim=-1)
    loss = -logprobs[tokens[:, :-1][counted], targets[counted]].mean()
    return loss, attention, labels
