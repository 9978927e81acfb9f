# expect: right
import torch
import torch.nn.functional as F


def cp_zigzag_split(sequences, response_lengths, cp_rank, cp_size, pad_id):
    multiple = 2 * cp_size
    rows = []
    offset = 0
    for ids, r in zip(sequences, response_lengths):
        n = len(ids)
        pad = -n % multiple
        tokens = F.pad(ids, (0, pad), value=pad_id)
        pos = torch.arange(n + pad)
        nxt = torch.cat([tokens[1:], tokens.new_zeros(1)])
        # index of the response token at pos + 1, or -1 if there is none
        resp = torch.full((n + pad,), -1, dtype=torch.int64)
        for j in range(r):
            resp[n - r - 1 + j] = offset + j
        table = torch.stack([tokens, pos, nxt, resp])
        pieces = table.chunk(multiple, dim=1)
        rows += [pieces[cp_rank], pieces[multiple - 1 - cp_rank]]
        offset += r

    tokens, pos, nxt, resp = torch.cat(rows, dim=1)
    where = (resp >= 0).nonzero(as_tuple=True)[0]
    return {
        "input_ids": tokens.clone(),
        "position_ids": pos.clone(),
        "logit_index": where,
        "targets": nxt[where],
        "response_index": resp[where],
    }
