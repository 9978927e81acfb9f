# expect: right
import torch


def cp_zigzag_split(sequences, response_lengths, cp_rank, cp_size, pad_id):
    """Return a dict with this rank's input_ids, position_ids, logit_index, targets and response_index."""
    n_chunks = 2 * cp_size
    input_ids, position_ids = [], []
    logit_index, targets, response_index = [], [], []
    held = 0
    responses_before = 0

    for seq, n_resp in zip(sequences, response_lengths):
        length = seq.numel()
        chunk = -(-length // n_chunks)
        start_of_response = length - n_resp

        for c in (cp_rank, n_chunks - 1 - cp_rank):
            lo, hi = c * chunk, (c + 1) * chunk
            real = seq[lo:hi]
            filler = real.new_full((chunk - real.numel(),), pad_id)
            input_ids.append(torch.cat([real, filler]))
            position_ids.append(torch.arange(lo, hi))

            # positions p with a response token at p + 1
            first = max(lo, start_of_response - 1)
            last = min(hi, length - 1)
            if first < last:
                p = torch.arange(first, last)
                logit_index.append(held + p - lo)
                targets.append(seq[first + 1 : last + 1])
                response_index.append(responses_before + p + 1 - start_of_response)
            held += chunk
        responses_before += n_resp

    def join(parts):
        return torch.cat(parts).to(torch.int64) if parts else torch.empty(0, dtype=torch.int64)

    return {
        "input_ids": join(input_ids),
        "position_ids": join(position_ids),
        "logit_index": join(logit_index),
        "targets": join(targets),
        "response_index": join(response_index),
    }
