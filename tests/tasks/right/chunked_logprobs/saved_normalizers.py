import torch


class FusedLogprobs(torch.autograd.Function):
    """Visits the chunks three times: for the values, for the hidden states' gradient, and for the weight's."""

    @staticmethod
    def forward(ctx, hidden, weight, targets, chunk):
        ctx.chunk = chunk
        normalizers, values = [], []
        for states, words in zip(torch.split(hidden, chunk), torch.split(targets, chunk), strict=True):
            logits = states.mm(weight.T)
            top = logits.amax(dim=1, keepdim=True)
            normalizer = top[:, 0] + (logits - top).exp().sum(dim=1).log()
            normalizers.append(normalizer)
            values.append((states * weight[words]).sum(dim=1) - normalizer)
        ctx.save_for_backward(hidden, weight, targets, torch.cat(normalizers))
        return torch.cat(values)

    @staticmethod
    def backward(ctx, upstream):
        hidden, weight, targets, normalizers = ctx.saved_tensors
        scaled = upstream[:, None]
        grad_weight = torch.zeros_like(weight).index_add_(0, targets, scaled * hidden)
        grad_hidden = scaled * weight[targets]
        for start in range(0, len(targets), ctx.chunk):
            stop = min(start + ctx.chunk, len(targets))
            probabilities = (hidden[start:stop].mm(weight.T) - normalizers[start:stop, None]).exp_()
            probabilities *= scaled[start:stop]
            grad_hidden[start:stop] -= probabilities.mm(weight)
            grad_weight -= probabilities.T.mm(hidden[start:stop])
        return grad_hidden, grad_weight, None, None


def chunked_logprobs(hidden, weight, tokens, chunk):
    precise = hidden.float() if hidden.dtype is torch.bfloat16 else hidden
    return FusedLogprobs.apply(precise[: len(tokens) - 1], weight.to(precise.dtype), tokens[1:], chunk)
