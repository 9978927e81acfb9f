# expect: wrong
# mistake: The logits are computed by a matrix product in the dtype of the inputs and only then converted to float32, so that bfloat16 inputs give logits rounded to bfloat16.
import torch


class _LogProbs(torch.autograd.Function):
    @staticmethod
    def forward(ctx, hidden, weight, tokens, chunk):
        ctx.save_for_backward(hidden, weight, tokens)
        ctx.chunk = chunk
        T = hidden.shape[0]
        logp = hidden.new_empty(T - 1, dtype=torch.float32)
        for s in range(0, T - 1, chunk):
            e = min(s + chunk, T - 1)
            logits = (hidden[s:e] @ weight.T).float()
            logits = logits - logits.amax(1, keepdim=True)
            nxt = tokens[s + 1:e + 1]
            logp[s:e] = logits.gather(1, nxt[:, None]).squeeze(1) - torch.logsumexp(logits, 1)
        return logp

    @staticmethod
    def backward(ctx, grad):
        hidden, weight, tokens = ctx.saved_tensors
        T = hidden.shape[0]
        gh = torch.zeros_like(hidden)
        gw = torch.zeros(weight.shape, dtype=torch.float32, device=weight.device)
        for s in range(0, T - 1, ctx.chunk):
            e = min(s + ctx.chunk, T - 1)
            probs = (hidden[s:e] @ weight.T).float().softmax(dim=1)
            d = probs.mul_(-grad[s:e, None])
            nxt = tokens[s + 1:e + 1]
            d.scatter_add_(1, nxt[:, None], grad[s:e, None].contiguous())
            d = d.to(hidden.dtype)
            gh[s:e] = d @ weight
            if weight.dtype == torch.float32:
                gw.addmm_(d.T, hidden[s:e])
            else:
                gw += (d.T @ hidden[s:e]).float()
        return gh, gw.to(weight.dtype), None, None


def chunked_logprobs(hidden, weight, tokens, chunk) -> torch.Tensor:
    return _LogProbs.apply(hidden, weight, tokens, chunk)
