# expect: wrong
# mistake: The log-probabilities of the undivided logits are divided by the temperature, so they are not normalized, instead of dividing the logits before the softmax.
import torch


def token_logprobs(logits, tokens, temperature=1.0):
    x = logits[:, :-1, :].float()
    target = tokens[:, 1:].unsqueeze(-1)
    chosen = x.gather(2, target).squeeze(2)
    norm = torch.logsumexp(x, dim=2)
    return (chosen - norm) / temperature
