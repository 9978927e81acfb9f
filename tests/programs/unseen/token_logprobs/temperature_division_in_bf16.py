# expect: wrong
# mistake: For bfloat16 logits the division by the temperature is done and rounded in bfloat16 before the conversion to float32.
import torch
import torch.nn.functional as F


def token_logprobs(logits, tokens, temperature=1.0):
    B, T, V = logits.shape
    scaled = (logits[:, :-1] / temperature).float()
    nll = F.cross_entropy(scaled.reshape(-1, V), tokens[:, 1:].reshape(-1), reduction="none")
    return -nll.view(B, T - 1)
