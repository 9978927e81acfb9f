import torch


def chunked_logprobs(hidden, weight, tokens, chunk):
    logits = hidden[:-1].float() @ weight.float().T
    return torch.log_softmax(logits, dim=-1).gather(-1, tokens[1:, None])[:, 0]
