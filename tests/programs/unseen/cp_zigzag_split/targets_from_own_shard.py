# expect: wrong
# mistake: The target is the next token in this rank's own input_ids (rolled by one), not the next token of the sequence, so at the end of a chunk the target is the first token of another chunk.
import torch


def cp_zigzag_split(sequences, response_lengths, cp_rank, cp_size, pad_id):
    num_chunks = 2 * cp_size
    ids_parts, pos_parts, resp_parts = [], [], []
    resp_offset = 0

    for seq, resp_len in zip(sequences, response_lengths):
        total = seq.shape[0]
        padded_len = (total + num_chunks - 1) // num_chunks * num_chunks
        padded = torch.full((padded_len,), pad_id, dtype=torch.int64)
        padded[:total] = seq
        positions = torch.arange(padded_len, dtype=torch.int64)

        resp = torch.full((padded_len,), -1, dtype=torch.int64)
        begin = total - resp_len - 1
        resp[begin : begin + resp_len] = torch.arange(resp_offset, resp_offset + resp_len)
        resp_offset += resp_len

        size = padded_len // num_chunks
        for c in (cp_rank, num_chunks - 1 - cp_rank):
            sl = slice(c * size, (c + 1) * size)
            ids_parts.append(padded[sl])
            pos_parts.append(positions[sl])
            resp_parts.append(resp[sl])

    input_ids = torch.cat(ids_parts)
    position_ids = torch.cat(pos_parts)
    resp = torch.cat(resp_parts)

    labels = torch.roll(input_ids, shifts=-1)
    logit_index = torch.nonzero(resp >= 0).flatten()
    return {
        "input_ids": input_ids,
        "position_ids": position_ids,
        "logit_index": logit_index,
        "targets": labels[logit_index],
        "response_index": resp[logit_index],
    }
