import torch


def cp_zigzag_split(sequences, response_lengths, cp_rank, cp_size, pad_id):
    input_ids, position_ids, logit_index, targets, response_index = [], [], [], [], []
    stream = [token for tokens in sequences for token in tokens.tolist()]
    own = [position for tokens in sequences for position in range(len(tokens))]
    places, start = {}, 0
    for tokens, response_length in zip(sequences, response_lengths, strict=True):
        start += len(tokens)
        for position in range(start - response_length, start):
            places[position - 1] = len(places)
    for tokens in [stream]:
        length = len(tokens)
        chunk = (length + 2 * cp_size - 1) // (2 * cp_size)
        own += range(own[-1] + 1, own[-1] + 1 + 2 * cp_size * chunk - length)
        padded = tokens + [pad_id] * (2 * cp_size * chunk - length)
        for number in (cp_rank, 2 * cp_size - 1 - cp_rank):
            for position in range(number * chunk, (number + 1) * chunk):
                if position in places:
                    logit_index.append(len(input_ids))
                    targets.append(tokens[position + 1])
                    response_index.append(places[position])
                input_ids.append(padded[position])
                position_ids.append(own[position])
    return {
        "input_ids": torch.tensor(input_ids, dtype=torch.long),
        "position_ids": torch.tensor(position_ids, dtype=torch.long),
        "logit_index": torch.tensor(logit_index, dtype=torch.long),
        "targets": torch.tensor(targets, dtype=torch.long),
        "response_index": torch.tensor(response_index, dtype=torch.long),
    }
