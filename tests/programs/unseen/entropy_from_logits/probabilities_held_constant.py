# expect: wrong
# mistake: The probabilities are detached, so that the gradient flows through their logarithms only.
import torch


def entropy_from_logits(logits, mask) -> tuple[torch.Tensor, torch.Tensor]:
    scores = logits.float()
    if mask is not None:
        scores = torch.where(mask[..., None], scores, torch.zeros((), device=scores.device))
    log_probs = torch.log_softmax(scores, -1)
    with torch.no_grad():
        probs = log_probs.exp()
    log_probs = torch.where(torch.isneginf(scores), torch.zeros_like(log_probs), log_probs)
    # The entropy is the expected surprise.
    per_token = (probs * -log_probs).sum(-1)
    if mask is None:
        return per_token.sum() / max(per_token.numel(), 1), per_token
    per_token = per_token * mask
    return per_token.sum() / mask.sum().clamp(min=1), per_token
