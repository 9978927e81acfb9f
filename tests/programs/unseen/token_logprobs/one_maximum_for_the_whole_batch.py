# expect: wrong
# mistake: The stabilizing maximum is taken over the whole tensor instead of per position, so at positions whose logits are far below it the sum of exponentials underflows to 0.
import torch


def token_logprobs(logits, tokens, temperature=1.0):
    z = logits[:, :-1].float() / temperature
    z = z - z.detach().max()
    log_z = z.exp().sum(dim=-1).log()
    rows = []
    for b in range(tokens.shape[0]):
        row = z[b].gather(-1, tokens[b, 1:].unsqueeze(-1)).squeeze(-1)
        rows.append(row - log_z[b])
    return torch.stack(rows)
