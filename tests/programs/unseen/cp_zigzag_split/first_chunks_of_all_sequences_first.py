# expect: wrong
# mistake: The input holds chunk r of every sequence first and then chunk 2 * cp_size - 1 - r of every sequence, instead of both chunks of one sequence after the other.
import torch


def _pad_to(t, length, value):
    out = torch.full((length,), value, dtype=torch.int64)
    out[: t.numel()] = t
    return out


def cp_zigzag_split(sequences, response_lengths, cp_rank, cp_size, pad_id):
    n = 2 * cp_size
    prepared = []
    base = 0
    for seq, r in zip(sequences, response_lengths):
        L = seq.numel()
        P = L + (n - L % n) % n
        ids = _pad_to(seq, P, pad_id)
        nxt = _pad_to(seq[1:], P, pad_id)
        pos = torch.arange(P)
        ridx = pos + 1 - (L - r)
        valid = (ridx >= 0) & (ridx < r)
        prepared.append((ids, nxt, pos, ridx + base, valid, P // n))
        base += r

    cols = ([], [], [], [], [])
    for chunk_id in (cp_rank, n - 1 - cp_rank):
        for ids, nxt, pos, ridx, valid, c in prepared:
            s = slice(chunk_id * c, chunk_id * c + c)
            for col, t in zip(cols, (ids, nxt, pos, ridx, valid)):
                col.append(t[s])
    ids, nxt, pos, ridx, valid = (torch.cat(col) for col in cols)

    return dict(
        input_ids=ids,
        position_ids=pos,
        logit_index=valid.nonzero().squeeze(-1),
        targets=nxt[valid],
        response_index=ridx[valid],
    )
