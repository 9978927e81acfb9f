def token_logprobs(logits, tokens, temperature=1.0):
    if temperature != 1.0:
        logits.div_(temperature)
    logp = logits[:, :-1].float().log_softmax(dim=-1)
    return logp.gather(-1, tokens[:, 1:, None]).squeeze(-1)
