from torch.distributions import Categorical


def token_logprobs(logits, tokens, temperature=1.0):
    scores = logits[:, :-1].float() / temperature
    return Categorical(logits=scores, validate_args=False).log_prob(tokens[:, 1:])
