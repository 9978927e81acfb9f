import torch


class Tokenizer:
    """Splits a text greedily: the next token is always the longest one that fits."""

    def __init__(self, vocabulary):
        self.vocabulary = vocabulary

    def encode(self, text):
        tokens = []
        while text:
            longest = max((piece for piece in self.vocabulary if text.startswith(piece)), key=len)
            tokens.append(self.vocabulary.index(longest))
            text = text[len(longest) :]
        return tokens

    def decode(self, tokens):
        return "".join(self.vocabulary[token] for token in tokens)


def render(messages):
    """Return a conversation as text, up to the point where the assistant goes on."""
    return "".join(f"<{role}>{text}<end>" for role, text in messages) + "<assistant>"


def logprobs_of(weights, context, tokens):
    """Return a list with the log-probability of each token, given the context and the tokens before it."""
    state = torch.zeros_like(weights["mix"][0])
    logprobs = []
    for place, token in enumerate(context + tokens):
        if place >= len(context):
            logprobs.append((state @ weights["head"]).log_softmax(dim=-1)[token])
        state = torch.tanh(state @ weights["mix"] + weights["embed"][token])
    return logprobs


def run_episode(vocabulary, engine_weights, trainer_weights, prompt, turns):
    """Return the tokens and the loss mask of a row, and the log-probabilities of the sampled tokens."""
    tokenizer = Tokenizer(vocabulary)
    messages = [("user", prompt)]
    tokens = tokenizer.encode(render(messages))
    mask = [False] * len(tokens)
    engine_logprobs = []
    for sampled, observation in turns:
        context = list(tokens)
        engine_logprobs += logprobs_of(engine_weights, context, sampled)
        if tokenizer.decode(sampled).endswith("<end>"):
            engine_logprobs.pop()
        tokens += sampled
        mask += [tokenizer.vocabulary[token] != "<end>" for token in sampled]
        if observation is None:
            break
        ending = "" if tokenizer.decode(sampled).endswith("<end>") else "<end>"
        added = tokenizer.encode(ending + render([("tool", observation)]))
        tokens += added
        mask += [False] * len(added)
    scored = logprobs_of(trainer_weights, tokens[:1], tokens[1:])
    trainer_logprobs = [logprob for logprob, is_sampled in zip(scored, mask[1:], strict=True) if is_sampled]
    return torch.tensor(tokens), torch.tensor(mask), torch.stack(engine_logprobs), torch.stack(trainer_logprobs)
