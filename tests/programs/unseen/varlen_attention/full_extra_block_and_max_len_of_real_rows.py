# expect: wrong
# mistake: Two mistakes: if the number of real tokens is already a multiple, another `multiple` extra positions are appended, and max_len ignores the sequence of the extra positions.
import torch
import torch.nn.functional as F


def varlen_attention(q, k, v, mask, multiple=1):
    batch, seq, heads, dim = q.shape
    m = mask.to(torch.bool)
    indices = torch.flatten(m).nonzero(as_tuple=False).flatten()
    lens = m.sum(dim=1).tolist()
    max_len = max(lens)

    count = len(indices)
    pad = multiple - count % multiple
    all_lens = lens + [pad]

    cu = [0]
    for n in all_lens:
        cu.append(cu[-1] + n)
    cu_seqlens = torch.tensor(cu, dtype=torch.int32)

    packed_qkv = torch.stack([q[m], k[m], v[m]])
    packed_qkv = F.pad(packed_qkv, (0, 0, 0, 0, 0, pad))

    results = []
    for begin, end in zip(cu[:-1], cu[1:]):
        qs, ks, vs = packed_qkv[:, begin:end].transpose(1, 2)
        bias = torch.full((end - begin, end - begin), float("-inf")).triu(1)
        p = torch.softmax(qs @ ks.transpose(-1, -2) / dim**0.5 + bias, dim=-1)
        results.append((p @ vs).transpose(0, 1))
    packed = torch.cat(results)

    out = torch.zeros(batch, seq, heads, dim)
    out[m] = packed[:count]
    return out, packed, indices, cu_seqlens, max_len
