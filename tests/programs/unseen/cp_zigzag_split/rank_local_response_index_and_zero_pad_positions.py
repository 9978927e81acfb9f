# expect: wrong
# mistake: Two mistakes: response_index adds the number of targets that this rank had in earlier sequences instead of the full lengths of the earlier responses, and padding has position 0 instead of continuing the count.
import torch


def cp_zigzag_split(sequences, response_lengths, cp_rank, cp_size, pad_id):
    num = 2 * cp_size
    input_ids = torch.empty(0, dtype=torch.int64)
    position_ids = torch.empty(0, dtype=torch.int64)
    logit_index = torch.empty(0, dtype=torch.int64)
    targets = torch.empty(0, dtype=torch.int64)
    response_index = torch.empty(0, dtype=torch.int64)

    for seq, resp_len in zip(sequences, response_lengths):
        seq_len = seq.size(0)
        chunk = (seq_len + num - 1) // num
        ids = seq.new_full((chunk * num,), pad_id)
        ids[:seq_len] = seq
        pos = torch.zeros(chunk * num, dtype=torch.int64)
        pos[:seq_len] = torch.arange(seq_len)

        a, b = cp_rank, num - 1 - cp_rank
        local = torch.cat(
            [
                torch.arange(a * chunk, (a + 1) * chunk),
                torch.arange(b * chunk, (b + 1) * chunk),
            ]
        )
        start = seq_len - resp_len
        keep = (local + 1 >= start) & (local + 1 < seq_len)
        hit = local[keep] + 1

        logit_index = torch.cat([logit_index, input_ids.numel() + keep.nonzero().flatten()])
        response_index = torch.cat([response_index, hit - start + targets.numel()])
        targets = torch.cat([targets, seq[hit]])
        input_ids = torch.cat([input_ids, ids[local]])
        position_ids = torch.cat([position_ids, pos[local]])

    return {
        "input_ids": input_ids,
        "position_ids": position_ids,
        "logit_index": logit_index,
        "targets": targets,
        "response_index": response_index,
    }
