import torch
from torch.nn.functional import logsigmoid


def answer_logprobs(model, sequences, lengths, prompt_lengths):
    """Return the log-probability of each sequence's answer given its prompt, one number per row."""
    counts = torch.arange(sequences.shape[1]) < lengths[:, None]
    for row in range(len(prompt_lengths)):
        counts[row, : prompt_lengths[row]] = False
    # The model sees one token at a time: row i of its table has the logits of the token after token i.
    logprobs = model[sequences[:, :-1]].log_softmax(dim=-1)
    of_tokens = logprobs.gather(-1, sequences[:, 1:, None]).squeeze(-1)
    return torch.where(counts[:, :-1], of_tokens, 0.0).sum(dim=1)


def dpo_loss(policy, reference, batch, beta):
    """Return the loss of a batch of pairs, and the rewards of the chosen and of the rejected answers."""
    # One forward pass for all sequences: first the chosen ones, then the rejected ones.
    sequences = torch.cat([batch["chosen"], batch["rejected"]])
    lengths = torch.cat([batch["chosen_lengths"], batch["rejected_lengths"]])
    prompt_lengths = torch.cat([batch["prompt_lengths"], batch["prompt_lengths"]])
    logprobs = answer_logprobs(policy, sequences, lengths, prompt_lengths)
    with torch.no_grad():
        ref_logprobs = answer_logprobs(reference, sequences, lengths, prompt_lengths)
    chosen, rejected = (beta * (logprobs - ref_logprobs)).chunk(2)
    return -logsigmoid(chosen - rejected).mean(), chosen.detach(), rejected.detach()
