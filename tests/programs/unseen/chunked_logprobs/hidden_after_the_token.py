# expect: wrong
# mistake: logp[t] scores the token at position t + 1 with hidden[t + 1], which has already read that token, instead of hidden[t].
import torch


class LogprobFn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h, w, labels, chunk):
        ctx.save_for_backward(h, w, labels)
        ctx.chunk = chunk
        wf = w.float()
        out = []
        for hc, lc in zip(h.split(chunk), labels.split(chunk)):
            logits = torch.matmul(hc.float(), wf.T)
            logits -= logits.max(dim=-1, keepdim=True).values
            lse = torch.logsumexp(logits, dim=-1)
            out.append(logits.gather(-1, lc[:, None])[:, 0] - lse)
        return torch.cat(out)

    @staticmethod
    def backward(ctx, grad_out):
        h, w, labels = ctx.saved_tensors
        wf = w.float()
        dh = torch.empty(h.shape, dtype=torch.float32, device=h.device)
        dw = torch.zeros(w.shape, dtype=torch.float32, device=h.device)
        for i in range(0, h.shape[0], ctx.chunk):
            j = min(i + ctx.chunk, h.shape[0])
            hc = h[i:j].float()
            p = torch.softmax(hc @ wf.T, dim=-1)
            p.mul_(-grad_out[i:j, None])
            rows = torch.arange(j - i, device=h.device)
            p[rows, labels[i:j]] += grad_out[i:j]
            dh[i:j] = p @ wf
            dw.addmm_(p.T, hc)
        return dh.to(h.dtype), dw.to(w.dtype), None, None


def chunked_logprobs(hidden, weight, tokens, chunk) -> torch.Tensor:
    return LogprobFn.apply(hidden[1:], weight, tokens[1:], chunk)
