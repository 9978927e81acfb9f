# expect: wrong
# mistake: If this rank predicts nothing, logit_index, targets and response_index are empty float32 tensors, because they are built from empty lists without a dtype.
import torch


def cp_zigzag_split(sequences, response_lengths, cp_rank, cp_size, pad_id):
    chunks = 2 * cp_size
    input_ids, position_ids = [], []
    logit_index, targets, response_index = [], [], []
    response_offset = 0

    for seq, resp_len in zip(sequences, response_lengths):
        seq_list = seq.tolist()
        seq_len = len(seq_list)
        chunk_len = (seq_len + chunks - 1) // chunks
        padded = seq_list + [pad_id] * (chunk_len * chunks - seq_len)

        for chunk_id in (cp_rank, chunks - 1 - cp_rank):
            for pos in range(chunk_id * chunk_len, (chunk_id + 1) * chunk_len):
                target_pos = pos + 1
                if seq_len - resp_len <= target_pos < seq_len:
                    logit_index.append(len(input_ids))
                    targets.append(seq_list[target_pos])
                    response_index.append(response_offset + target_pos - (seq_len - resp_len))
                input_ids.append(padded[pos])
                position_ids.append(pos)
        response_offset += resp_len

    return {
        "input_ids": torch.tensor(input_ids),
        "position_ids": torch.tensor(position_ids),
        "logit_index": torch.tensor(logit_index),
        "targets": torch.tensor(targets),
        "response_index": torch.tensor(response_index),
    }
