import torch


def cp_zigzag_split(sequences, response_lengths, cp_rank, cp_size, pad_id):
    input_ids, position_ids, logit_index, targets, response_index = [], [], [], [], []
    responses = 0
    for tokens, response_length in zip(sequences, response_lengths, strict=True):
        tokens = tokens.tolist()
        length = len(tokens)
        prompt = length - response_length
        chunk = (length + 2 * cp_size - 1) // (2 * cp_size)
        padded = tokens + [pad_id] * (2 * cp_size * chunk - length)
        for number in (cp_rank, 2 * cp_size - 1 - cp_rank):
            for position in range(number * chunk, (number + 1) * chunk):
                if prompt - 1 <= position < length - 1:
                    logit_index.append(len(input_ids))
                    targets.append(tokens[position + 1])
                    response_index.append(responses + position + 1 - prompt)
                input_ids.append(padded[position])
                position_ids.append(position - number * chunk)
        responses += response_length
    return {
        "input_ids": torch.tensor(input_ids, dtype=torch.long),
        "position_ids": torch.tensor(position_ids, dtype=torch.long),
        "logit_index": torch.tensor(logit_index, dtype=torch.long),
        "targets": torch.tensor(targets, dtype=torch.long),
        "response_index": torch.tensor(response_index, dtype=torch.long),
    }
