import torch
from torch.nn.functional import softplus


def answer_logprobs(model, sequences, lengths, prompt_lengths):
    counts = torch.arange(sequences.shape[1], device=sequences.device) < lengths[:, None]
    for row, length in enumerate(prompt_lengths.tolist()):
        counts[row, :length] = False
    logprobs = model[sequences[:, :-1]].log_softmax(dim=-1)
    of_tokens = logprobs.gather(-1, sequences[:, 1:, None]).squeeze(-1)
    return (of_tokens.masked_fill(~counts[:, 1:], 0.0)).sum(dim=1)


def dpo_loss(policy, reference, batch, beta):
    sequences = torch.cat([batch["chosen"], batch["rejected"]])
    lengths = torch.cat([batch["chosen_lengths"], batch["rejected_lengths"]])
    prompts = batch["prompt_lengths"].repeat(2)
    logprobs = answer_logprobs(policy, sequences, lengths, prompts)
    ref_logprobs = answer_logprobs(reference.detach(), sequences, lengths, prompts)
    chosen, rejected = (beta * (logprobs - ref_logprobs)).chunk(2)
    return softplus(rejected - chosen).mean(), chosen.detach(), rejected.detach()
