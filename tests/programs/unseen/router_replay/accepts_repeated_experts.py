# expect: wrong
# mistake: A record that names an expert twice is accepted instead of raising ValueError.
import torch


def topk_with_replay(logits, k, replay=None):
    experts = logits.topk(k, dim=-1, sorted=True)[1]
    if replay is not None:
        n_experts = logits.size(-1)
        none = replay.eq(-1).all(-1)
        valid = replay.ge(0).logical_and(replay.lt(n_experts)).all(-1)
        if not torch.all(none | valid):
            raise ValueError("replay must hold experts in [0, E) or rows of -1")
        experts = experts.clone()
        experts[valid] = replay[valid]
    chosen = torch.gather(logits, -1, experts)
    gates = torch.exp(chosen - torch.logsumexp(chosen, dim=-1, keepdim=True))
    return gates, experts
