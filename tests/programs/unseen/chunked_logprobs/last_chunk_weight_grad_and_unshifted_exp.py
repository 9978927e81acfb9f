# expect: wrong
# mistake: The gradient of weight is overwritten by each chunk so that only the last chunk's part is returned instead of the sum, and the backward pass computes the softmax as exp(logits) / sum(exp(logits)) without subtracting the maximum, which gives NaN for large logits.
import torch


class ChunkLogp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, hidden, weight, tokens, chunk):
        w = weight.float()
        parts = []
        T = hidden.size(0)
        i = 0
        while i < T - 1:
            j = min(i + chunk, T - 1)
            logits = hidden[i:j].float().matmul(w.t())
            logits -= logits.amax(dim=-1, keepdim=True)
            logits -= logits.logsumexp(dim=-1, keepdim=True)
            parts.append(logits.gather(-1, tokens[i + 1:j + 1].view(-1, 1)).view(-1).clone())
            i = j
        ctx.save_for_backward(hidden, weight, tokens)
        ctx.chunk = chunk
        return torch.cat(parts)

    @staticmethod
    def backward(ctx, upstream):
        hidden, weight, tokens = ctx.saved_tensors
        w = weight.float()
        T = hidden.size(0)
        d_hidden = torch.zeros_like(hidden)
        d_weight = torch.zeros_like(weight)
        i = 0
        while i < T - 1:
            j = min(i + ctx.chunk, T - 1)
            h = hidden[i:j].float()
            e = h.matmul(w.t()).exp_()
            e /= e.sum(dim=-1, keepdim=True)
            e *= -upstream[i:j].view(-1, 1)
            e[torch.arange(j - i), tokens[i + 1:j + 1]] += upstream[i:j]
            d_hidden[i:j] = e.matmul(w).to(hidden.dtype)
            d_weight = e.t().matmul(h).to(weight.dtype)
            i = j
        return d_hidden, d_weight, None, None


def chunked_logprobs(hidden, weight, tokens, chunk) -> torch.Tensor:
    return ChunkLogp.apply(hidden, weight, tokens, chunk)
