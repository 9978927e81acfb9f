# expect: wrong
# mistake: The gates of tokens with a record are computed without a gradient.
import torch


def topk_with_replay(logits, k, replay=None):
    top_logits, top_experts = logits.topk(k, dim=-1)
    top_gates = top_logits.softmax(dim=-1)
    if replay is None:
        return top_gates, top_experts

    missing = (replay == -1).all(dim=-1, keepdim=True)
    checked = replay[~missing.squeeze(-1)]
    if checked.numel():
        if checked.min() < 0 or checked.max() >= logits.shape[-1]:
            raise ValueError("expert out of range")
        one_hot = torch.nn.functional.one_hot(checked, logits.shape[-1]).sum(dim=1)
        if one_hot.max() > 1:
            raise ValueError("expert named twice")

    with torch.no_grad():
        safe = replay.clamp(min=0)
        replayed_gates = logits.gather(-1, safe).softmax(dim=-1)
    gates = torch.where(missing, top_gates, replayed_gates)
    experts = torch.where(missing, top_experts, replay)
    return gates, experts
