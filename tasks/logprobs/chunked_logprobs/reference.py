"""Checkpointing keeps only a chunk's inputs, so its logits exist once in the forward pass and once in the backward."""

import torch
from torch.utils.checkpoint import checkpoint


def _logprobs_of(hidden, weight, targets):
    logits = hidden @ weight.T
    return logits.gather(1, targets[:, None])[:, 0] - logits.logsumexp(dim=1)


def chunked_logprobs(hidden, weight, tokens, chunk):
    """Return the log-probability of each token given those before it, without the logits of the whole text.

    Shapes: hidden [T, H]; weight [V, H]; tokens [T]; the result [T - 1], in nats.
    Source: arXiv:2410.10989, section 3; arXiv:1604.06174, section 3.
    """
    precise = torch.promote_types(hidden.dtype, torch.float32)
    weight = weight.to(precise)
    pieces = zip(hidden[:-1].split(chunk), tokens[1:].split(chunk), strict=True)
    return torch.cat(
        [checkpoint(_logprobs_of, piece.to(precise), weight, targets, use_reentrant=False) for piece, targets in pieces]
    )
