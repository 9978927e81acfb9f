import torch
import torch.nn.functional as F


def token_logprobs(logits, tokens, temperature=1.0):
    rows = []
    with torch.no_grad():
        for row, text in zip(logits, tokens):
            rows.append(-F.cross_entropy(row[:-1].float() / temperature, text[1:], reduction="none"))
    return torch.stack(rows)
