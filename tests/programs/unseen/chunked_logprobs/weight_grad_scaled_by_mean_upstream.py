# expect: wrong
# mistake: The gradient of weight is accumulated in the forward pass for an upstream of 1 and then multiplied by the mean of the upstream gradient, instead of weighting each token's contribution with its own upstream number.
import torch


class FusedLinearLogprob(torch.autograd.Function):
    """Computes the gradients in the forward pass, so that no logits need to be recomputed."""

    @staticmethod
    def forward(ctx, hidden, weight, tokens, chunk):
        n = hidden.shape[0] - 1
        w = weight.float()
        logp = torch.zeros(n, dtype=torch.float32, device=hidden.device)
        grad_hidden = torch.zeros(hidden.shape, dtype=torch.float32, device=hidden.device)
        grad_weight = torch.zeros(weight.shape, dtype=torch.float32, device=hidden.device)
        for lo in range(0, n, chunk):
            hi = min(lo + chunk, n)
            x = hidden[lo:hi].float()
            y = tokens[lo + 1 : hi + 1]
            logits = x @ w.t()
            logits.sub_(logits.amax(dim=-1, keepdim=True))
            lse = torch.logsumexp(logits, dim=-1)
            logp[lo:hi] = logits.gather(1, y.view(-1, 1)).view(-1) - lse
            logits.sub_(lse.view(-1, 1)).exp_().neg_()
            logits[torch.arange(hi - lo, device=y.device), y] += 1.0
            grad_hidden[lo:hi] = logits @ w
            grad_weight.addmm_(logits.t(), x)
        ctx.save_for_backward(grad_hidden, grad_weight)
        ctx.dtypes = hidden.dtype, weight.dtype
        return logp

    @staticmethod
    def backward(ctx, grad_output):
        grad_hidden, grad_weight = ctx.saved_tensors
        out = torch.zeros_like(grad_hidden)
        torch.mul(grad_hidden[:-1], grad_output.unsqueeze(1), out=out[:-1])
        gw = grad_weight * grad_output.mean()
        return out.to(ctx.dtypes[0]), gw.to(ctx.dtypes[1]), None, None


def chunked_logprobs(hidden, weight, tokens, chunk) -> torch.Tensor:
    return FusedLinearLogprob.apply(hidden, weight, tokens, chunk)
