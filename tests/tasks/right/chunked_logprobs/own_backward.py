import torch


class ChunkedLogprobs(torch.autograd.Function):
    """log softmax(hidden @ weight.T)[target] per row; the backward pass computes each chunk's logits again."""

    @staticmethod
    def forward(ctx, hidden, weight, targets, chunk):
        ctx.save_for_backward(hidden, weight, targets)
        ctx.chunk = chunk
        result = hidden.new_empty(len(targets))
        for start in range(0, len(targets), chunk):
            part = slice(start, start + chunk)
            logits = hidden[part] @ weight.t()
            own = logits[torch.arange(len(logits)), targets[part]]
            result[part] = own - torch.logsumexp(logits, 1)
        return result

    @staticmethod
    def backward(ctx, grad_out):
        hidden, weight, targets = ctx.saved_tensors
        grad_hidden, grad_weight = torch.empty_like(hidden), torch.zeros_like(weight)
        for start in range(0, len(targets), ctx.chunk):
            part = slice(start, start + ctx.chunk)
            grad = torch.softmax(hidden[part] @ weight.t(), 1).neg_()
            grad[torch.arange(len(grad)), targets[part]] += 1.0
            grad.mul_(grad_out[part].unsqueeze(1))
            torch.mm(grad, weight, out=grad_hidden[part])
            grad_weight.addmm_(grad.t(), hidden[part])
        return grad_hidden, grad_weight, None, None


def chunked_logprobs(hidden, weight, tokens, chunk):
    if hidden.dtype == torch.bfloat16:
        hidden, weight = hidden.float(), weight.float()
    return ChunkedLogprobs.apply(hidden[:-1], weight, tokens[1:], chunk)
