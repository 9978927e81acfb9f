# expect: wrong
# mistake: The token at position t + 1 is scored with the logits at position t + 1, which the model computed after reading that token, instead of those at position t.
import torch
import torch.nn.functional as F


def token_logprobs(logits, tokens, temperature=1.0):
    logits = logits.to(torch.float32) / temperature
    all_logp = F.log_softmax(logits, dim=-1)
    picked = torch.gather(all_logp, 2, tokens[:, :, None])[:, :, 0]
    # the first token has no prediction
    return picked[:, 1:]
