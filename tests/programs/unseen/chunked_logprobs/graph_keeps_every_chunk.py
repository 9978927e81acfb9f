# expect: wrong
# mistake: The chunks are computed in a plain loop under autograd, so the graph keeps the logits of all chunks alive until the backward pass and the memory limit is exceeded.
import torch
import torch.nn.functional as F


def chunked_logprobs(hidden, weight, tokens, chunk) -> torch.Tensor:
    h = hidden[:-1].float()
    w = weight.float()
    targets = tokens[1:]

    pieces = []
    for start in range(0, h.shape[0], chunk):
        h_c = h[start : start + chunk]
        t_c = targets[start : start + chunk]
        logits = F.linear(h_c, w)
        pieces.append(-F.cross_entropy(logits, t_c, reduction="none"))
        del logits
    return torch.cat(pieces)
