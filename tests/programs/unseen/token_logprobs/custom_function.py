# expect: right
import torch


class _PickedLogProb(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores, targets):
        shifted = scores - scores.amax(dim=1, keepdim=True)
        weights = shifted.exp()
        total = weights.sum(dim=1, keepdim=True)
        ctx.save_for_backward(weights / total, targets)
        return (shifted.gather(1, targets[:, None]) - total.log()).squeeze(1)

    @staticmethod
    def backward(ctx, grad):
        probs, targets = ctx.saved_tensors
        out = -probs * grad[:, None]
        out.scatter_add_(1, targets[:, None], grad[:, None])
        return out, None


def token_logprobs(logits, tokens, temperature=1.0) -> torch.Tensor:
    B, T, V = logits.shape
    scores = logits[:, : T - 1].to(torch.float32).div(temperature).reshape(-1, V)
    targets = tokens[:, 1:].reshape(-1)
    return _PickedLogProb.apply(scores, targets).view(B, T - 1)
