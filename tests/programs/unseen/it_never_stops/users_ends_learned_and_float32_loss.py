# expect: wrong
# mistake: Tokens of the user that equal pad_id get a label as well, and the loss is computed and returned in float32 also for a float64 model.
"""The batches and the loss of supervised fine-tuning on conversations; start it with `python tune.py`."""

import logging

import torch
from torch.nn.functional import cross_entropy

IGNORED = -100


def collate(rows, pad_id, max_length):
    """Return token ids, attention and labels of rows of different lengths, [B, T] each."""
    kept = [row["tokens"][:max_length] for row in rows]
    width = max(len(tokens) for tokens in kept)
    tokens = torch.stack([torch.cat([x, x.new_full((width - len(x),), pad_id)]) for x in kept])
    labels = tokens.clone()
    for label, row in zip(labels, rows, strict=True):
        from_assistant = row["from_assistant"][:width]
        label[: len(from_assistant)][~from_assistant & (label[: len(from_assistant)] != pad_id)] = IGNORED
    attention = torch.arange(width) < torch.tensor([[len(x)] for x in kept])
    labels.masked_fill_(~attention, IGNORED)
    return tokens, attention, labels


def tuning_loss(model, rows, pad_id, max_length):
    """Return the loss of a batch, and the attention and the labels that it was computed with.

    Row i of the model's table has the logits of the token after token i.
    """
    tokens, attention, labels = collate(rows, pad_id, max_length)
    logits = model[tokens[:, :-1]].float()
    loss = cross_entropy(logits.flatten(0, 1), labels[:, 1:].flatten(), ignore_index=IGNORED)
    return loss, attention, labels
