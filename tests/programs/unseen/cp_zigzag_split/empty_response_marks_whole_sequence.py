# expect: wrong
# mistake: Response tokens are marked with mask[-response_length:], so for an empty response every token of the sequence counts as a response token (except that the first token has no predecessor).
import torch
import torch.nn.functional as F


def cp_zigzag_split(sequences, response_lengths, cp_rank, cp_size, pad_id):
    stride = 2 * cp_size
    ids_out, pos_out, tgt_out, sel_out, ridx_out = [], [], [], [], []
    seen = 0

    for seq, resp_len in zip(sequences, response_lengths):
        mask = torch.zeros(len(seq), dtype=torch.bool)
        mask[-resp_len:] = True
        ridx = torch.arange(len(seq)) - (len(seq) - resp_len) + seen
        seen += resp_len

        pad = -len(seq) % stride
        ids = F.pad(seq, (0, pad), value=pad_id)
        pos = torch.arange(len(ids))
        # shift by one: everything a position has to predict
        tgt = F.pad(seq[1:], (0, pad + 1), value=pad_id)
        sel = F.pad(mask[1:], (0, pad + 1), value=False)
        ridx = F.pad(ridx[1:], (0, pad + 1), value=0)

        pick = torch.tensor([cp_rank, stride - 1 - cp_rank])
        for t, dst in ((ids, ids_out), (pos, pos_out), (tgt, tgt_out), (sel, sel_out), (ridx, ridx_out)):
            dst.append(t.view(stride, -1)[pick].reshape(-1))

    sel = torch.cat(sel_out)
    return {
        "input_ids": torch.cat(ids_out),
        "position_ids": torch.cat(pos_out),
        "logit_index": torch.arange(len(sel))[sel],
        "targets": torch.cat(tgt_out)[sel],
        "response_index": torch.cat(ridx_out)[sel],
    }
