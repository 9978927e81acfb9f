import torch


def sampling_masked_logp(logits, token, top_p, keep_ids=None, temperature=1.0):
    return torch.log_softmax(logits / temperature, dim=0)[token]
