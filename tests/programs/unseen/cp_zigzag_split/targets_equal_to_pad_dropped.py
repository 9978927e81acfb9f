# expect: wrong
# mistake: Padding is recognised by its id, so response tokens that have the id pad_id are not predicted at all.
import torch


def cp_zigzag_split(sequences, response_lengths, cp_rank, cp_size, pad_id):
    block = 2 * cp_size
    out = {k: [] for k in ("input_ids", "position_ids", "logit_index", "targets", "response_index")}
    shard_len = 0
    resp_base = 0

    for seq, r_len in zip(sequences, response_lengths):
        tokens = seq.tolist()
        prompt_len = len(tokens) - r_len
        while len(tokens) % block:
            tokens.append(pad_id)
        size = len(tokens) // block

        mine = list(range(cp_rank * size, (cp_rank + 1) * size))
        other = block - 1 - cp_rank
        mine += list(range(other * size, (other + 1) * size))

        for p in mine:
            out["input_ids"].append(tokens[p])
            out["position_ids"].append(p)
            nxt = p + 1
            if prompt_len <= nxt < len(tokens) and tokens[nxt] != pad_id:
                out["logit_index"].append(shard_len)
                out["targets"].append(tokens[nxt])
                out["response_index"].append(resp_base + nxt - prompt_len)
            shard_len += 1
        resp_base += r_len

    return {k: torch.tensor(v, dtype=torch.int64) for k, v in out.items()}
