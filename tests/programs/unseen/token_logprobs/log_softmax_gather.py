# expect: right
import torch


def token_logprobs(logits, tokens, temperature=1.0) -> torch.Tensor:
    scores = logits[:, :-1, :].float() / temperature
    table = torch.log_softmax(scores, dim=-1)
    following = tokens[:, 1:].unsqueeze(-1)
    return table.gather(-1, following).squeeze(-1)
