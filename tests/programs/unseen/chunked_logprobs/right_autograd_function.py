# expect: right
import torch


class _ChunkedLogprobs(torch.autograd.Function):
    @staticmethod
    def forward(ctx, hidden, weight, tokens, chunk):
        n = hidden.shape[0] - 1
        w = weight.float()
        logp = torch.empty(n, dtype=torch.float32, device=hidden.device)
        for start in range(0, n, chunk):
            stop = min(start + chunk, n)
            logits = hidden[start:stop].float() @ w.t()
            logits.sub_(logits.amax(dim=1, keepdim=True))
            target = logits.gather(1, tokens[start + 1 : stop + 1].unsqueeze(1)).squeeze(1)
            logp[start:stop] = target - logits.logsumexp(dim=1)
            del logits
        ctx.save_for_backward(hidden, weight, tokens)
        ctx.chunk = chunk
        return logp

    @staticmethod
    def backward(ctx, upstream):
        hidden, weight, tokens = ctx.saved_tensors
        chunk = ctx.chunk
        n = hidden.shape[0] - 1
        w = weight.float()
        grad_h = torch.zeros(hidden.shape, dtype=torch.float32, device=hidden.device)
        grad_w = torch.zeros(weight.shape, dtype=torch.float32, device=hidden.device)
        for start in range(0, n, chunk):
            stop = min(start + chunk, n)
            h = hidden[start:stop].float()
            g = upstream[start:stop].float()
            d = h @ w.t()
            d.sub_(d.amax(dim=1, keepdim=True)).exp_()
            d.div_(d.sum(dim=1, keepdim=True))
            d.mul_(-g.unsqueeze(1))
            d.scatter_add_(1, tokens[start + 1 : stop + 1].unsqueeze(1), g.unsqueeze(1))
            torch.mm(d, w, out=grad_h[start:stop])
            grad_w.addmm_(d.t(), h)
            del d
        return grad_h.to(hidden.dtype), grad_w.to(weight.dtype), None, None


def chunked_logprobs(hidden, weight, tokens, chunk) -> torch.Tensor:
    return _ChunkedLogprobs.apply(hidden, weight, tokens, int(chunk))
