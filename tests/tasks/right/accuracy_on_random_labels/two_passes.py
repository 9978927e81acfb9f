import torch
from torch.nn.functional import logsigmoid


def answer_logprobs(model, sequences, lengths, prompt_lengths):
    position = torch.arange(1, sequences.shape[1], device=sequences.device)
    is_answer = (position >= prompt_lengths[:, None]) & (position < lengths[:, None])
    logprobs = model[sequences[:, :-1]].log_softmax(dim=-1)
    of_tokens = logprobs.gather(-1, sequences[:, 1:, None]).squeeze(-1)
    return torch.where(is_answer, of_tokens, 0.0).sum(dim=1)


def dpo_loss(policy, reference, batch, beta):
    def rewards(side):
        given = batch[side], batch[f"{side}_lengths"], batch["prompt_lengths"]
        with torch.no_grad():
            ref = answer_logprobs(reference, *given)
        return beta * (answer_logprobs(policy, *given) - ref)

    chosen, rejected = rewards("chosen"), rewards("rejected")
    return -logsigmoid(chosen - rejected).mean(), chosen.detach(), rejected.detach()
