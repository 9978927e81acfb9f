import torch

NONE = -1


def cp_zigzag_split(sequences, response_lengths, cp_rank, cp_size, pad_id):
    """Shift everything before splitting: each position gets its label, and then all columns are split the same way."""
    shards = []
    offset = 0
    for tokens, n in zip(sequences, response_lengths, strict=True):
        t = tokens.numel()
        columns = torch.full((4, t + -t % (2 * cp_size)), NONE, dtype=torch.int64)
        columns[0] = pad_id
        columns[0, :t] = tokens
        columns[1] = torch.arange(columns.shape[1])
        if n > 0:
            columns[2, t - n - 1 : t - 1] = tokens[t - n :]
            columns[3, t - n - 1 : t - 1] = torch.arange(offset, offset + n)
        chunks = columns.chunk(2 * cp_size, dim=1)
        shards += [chunks[cp_rank], chunks[2 * cp_size - 1 - cp_rank]]
        offset += n
    ids, positions, labels, index = torch.cat(shards, dim=1)
    has_label = index != NONE
    return {
        "input_ids": ids,
        "position_ids": positions,
        "logit_index": has_label.nonzero().squeeze(1),
        "targets": labels[has_label],
        "response_index": index[has_label],
    }
