import torch


def token_logprobs(logits, tokens, temperature=1.0):
    rows = []
    for b in range(tokens.shape[0]):
        row = []
        for t in range(tokens.shape[1] - 1):
            scores = logits[b, t].float() / temperature
            below_top = scores - scores.detach().max()
            row.append(below_top[tokens[b, t + 1]] - below_top.exp().sum().log())
        rows.append(torch.stack(row))
    return torch.stack(rows)
