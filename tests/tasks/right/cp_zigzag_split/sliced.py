import torch


def cp_zigzag_split(sequences, response_lengths, cp_rank, cp_size, pad_id):
    """Slices of every sequence, computed from the bounds of the two chunks."""
    result = {"input_ids": [], "position_ids": [], "logit_index": [], "targets": [], "response_index": []}
    row, done = 0, 0
    for sequence, answer in zip(sequences, response_lengths, strict=True):
        total = sequence.shape[0]
        size = total // (2 * cp_size) + (total % (2 * cp_size) > 0)
        padding = torch.full((2 * cp_size * size - total,), pad_id, dtype=torch.int64)
        full = torch.cat([sequence, padding])
        start_of_answer = total - answer
        for chunk in [cp_rank, 2 * cp_size - cp_rank - 1]:
            begin, end = chunk * size, (chunk + 1) * size
            result["input_ids"].append(full[begin:end])
            result["position_ids"].append(torch.arange(begin, end))
            first, last = max(begin, start_of_answer - 1), min(end, total - 1)
            last = max(first, last)
            result["logit_index"].append(torch.arange(first, last) - begin + row)
            result["targets"].append(sequence[first + 1 : last + 1])
            result["response_index"].append(torch.arange(first, last) + 1 - start_of_answer + done)
            row += size
        done += answer
    return {name: torch.cat(pieces) for name, pieces in result.items()}
