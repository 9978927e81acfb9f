import torch


def owner(chunk, cp_size):
    return chunk if chunk < cp_size else 2 * cp_size - 1 - chunk


def cp_zigzag_split(sequences, response_lengths, cp_rank, cp_size, pad_id):
    ids, positions, rows, targets, places = [], [], [], [], []
    answers_before = 0
    for sequence, answer_length in zip(sequences, response_lengths, strict=True):
        ids_of_sequence = [int(token) for token in sequence]
        real = len(ids_of_sequence)
        while len(ids_of_sequence) % (2 * cp_size) != 0:
            ids_of_sequence.append(pad_id)
        per_chunk = len(ids_of_sequence) // (2 * cp_size)
        for place, token in enumerate(ids_of_sequence):
            if owner(place // per_chunk, cp_size) != cp_rank:
                continue
            following = place + 1
            if real - answer_length <= following < real:
                rows.append(len(ids))
                targets.append(ids_of_sequence[following])
                places.append(answers_before + following - (real - answer_length))
            ids.append(token)
            positions.append(place)
        answers_before += answer_length
    lists = {"input_ids": ids, "position_ids": positions, "logit_index": rows}
    lists |= {"targets": targets, "response_index": places}
    return {name: torch.tensor(values, dtype=torch.int64) for name, values in lists.items()}
