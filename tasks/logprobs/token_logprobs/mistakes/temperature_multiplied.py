def token_logprobs(logits, tokens, temperature=1.0):
    scaled = logits[:, :-1].float() * temperature
    return scaled.log_softmax(-1).gather(-1, tokens[:, 1:, None]).squeeze(-1)
