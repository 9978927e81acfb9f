"""Everything follows from the positions that a rank holds: a position predicts the one after it, on whatever rank."""

import torch
import torch.nn.functional as F


def cp_zigzag_split(sequences, response_lengths, cp_rank, cp_size, pad_id):
    """Return one rank's tokens, their positions, and what their logits predict.

    Shapes: each sequence [T], with its own T; the results are 1-D.
    Source: Megatron's `get_batch_on_this_cp_rank` (the layout); slime's `get_logits_and_tokens_offset_with_cp`.
    """
    shard = {name: [] for name in ("input_ids", "position_ids", "logit_index", "targets", "response_index")}
    tokens_before = responses_before = 0
    for tokens, response_length in zip(sequences, response_lengths, strict=True):
        chunk = -(-len(tokens) // (2 * cp_size))
        chunks = torch.arange(2 * cp_size * chunk).reshape(2 * cp_size, chunk)
        positions = torch.cat([chunks[cp_rank], chunks[-1 - cp_rank]])
        shard["input_ids"].append(F.pad(tokens, (0, chunks.numel() - len(tokens)), value=pad_id)[positions])
        shard["position_ids"].append(positions)
        prompt_length = len(tokens) - response_length
        predicts = (positions + 1 >= prompt_length) & (positions + 1 < len(tokens))
        shard["logit_index"].append(tokens_before + predicts.nonzero().flatten())
        shard["targets"].append(tokens[positions[predicts] + 1])
        shard["response_index"].append(responses_before + positions[predicts] + 1 - prompt_length)
        tokens_before += len(positions)
        responses_before += response_length
    return {name: torch.cat(parts) for name, parts in shard.items()}
