import torch


def simko_ratio(
    logits, old_logits, tokens, correct, mask, alpha=0.01, K=3, q=0.8, penalty=1.1
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (ratio, scale), each [B, T]: the ratios with SimKO's gradient, and the factors on the advantages.

    logits, old_logits: [B, T, V] float; tokens: [B, T] int64; correct: [B] bool; mask: [B, T] bool.
    """
    raise NotImplementedError
