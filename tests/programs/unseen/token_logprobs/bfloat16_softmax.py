# expect: wrong
# mistake: For bfloat16 logits the arithmetic is done in bfloat16 and only the result is cast to float32.
import torch


def token_logprobs(logits, tokens, temperature=1.0) -> torch.Tensor:
    B, T, _ = logits.shape
    rows = []
    for b in range(B):
        table = torch.log_softmax(logits[b, :-1] / temperature, dim=-1)
        rows.append(table[torch.arange(T - 1, device=logits.device), tokens[b, 1:]])
    logp = torch.stack(rows)
    return logp.float()
