import torch


def token_logprobs(logits, tokens, temperature=1.0):
    z = logits[:, :-1].float() / temperature
    top = z.max(dim=-1, keepdim=True).values.detach()
    log_total = torch.log(torch.exp(z - top).sum(dim=-1))
    chosen = z.gather(-1, tokens[:, 1:, None]).squeeze(-1)
    return chosen - log_total
