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
        grad = -torch.softmax(hidden @ weight.T, dim=-1)
        grad[torch.arange(len(targets)), targets] += 1
        grad = grad * upstream[:, None]
        return grad @ weight, grad.T @ hidden, None, None


def chunked_logprobs(hidden, weight, tokens, chunk):
    return Chunked.apply(hidden[:-1], weight, tokens[1:], chunk)
