import torch


class Chunked(torch.autograd.Function):
    @staticmethod
    def forward(ctx, hidden, weight, targets, chunk):
        ctx.save_for_backward(hidden, weight, targets)
        ctx.chunk = chunk
        out = []
        for h, t in zip(hidden.split(chunk), targets.split(chunk)):
            logits = h.float() @ weight.float().T
            out.append(logits.gather(-1, t[:, None])[:, 0] - logits.logsumexp(-1))
        return torch.cat(out)

    @staticmethod
    def backward(ctx, upstream):
        hidden, weight, targets = ctx.saved_tensors
        grad_hidden = torch.zeros_like(hidden)
        grad_weight = torch.zeros_like(weight)
        for start in range(0, len(targets), ctx.chunk):
            rows = slice(start, start + ctx.chunk)
            h, t, g = hidden[rows], targets[rows], upstream[rows]
            grad = -torch.softmax(h @ weight.T, dim=-1)
            grad[torch.arange(len(t)), t] += 1
            grad = grad * upstream.sum()
            grad_hidden[rows] = grad @ weight
            grad_weight += grad.T @ h
        return grad_hidden, grad_weight, None, None


def chunked_logprobs(hidden, weight, tokens, chunk):
    return Chunked.apply(hidden[:-1], weight, tokens[1:], chunk)
