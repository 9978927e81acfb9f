import torch


def token_logprobs(logits, tokens, temperature=1.0):
    wide = logits if logits.dtype == torch.float64 else logits.float()
    table = torch.log_softmax(wide / temperature, dim=-1)[:, :-1]
    rows = torch.arange(tokens.shape[0], device=tokens.device)[:, None]
    steps = torch.arange(tokens.shape[1] - 1, device=tokens.device)[None, :]
    return table[rows, steps, tokens[:, 1:]]
