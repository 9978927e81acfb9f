# expect: wrong
# mistake: The gates of replayed tokens are detached, so that the router gets no gradient from tokens with a record.
import torch


def _validate(replay, k, num_experts):
    for row in replay.tolist():
        if all(e == -1 for e in row):
            continue
        if len(set(row)) != k or min(row) < 0 or max(row) >= num_experts:
            raise ValueError(f"bad replay row {row}")


def topk_with_replay(logits, k, replay=None):
    top_logits, top_experts = torch.topk(logits, k, dim=-1)
    own_gates = torch.softmax(top_logits, dim=-1)
    if replay is None:
        return own_gates, top_experts

    _validate(replay, k, logits.shape[-1])
    recorded = (replay != -1).all(dim=-1, keepdim=True)
    with torch.no_grad():
        index = replay.clamp(min=0)
        replay_gates = torch.softmax(torch.gather(logits, -1, index), dim=-1)

    experts = torch.where(recorded, replay, top_experts)
    gates = torch.where(recorded, replay_gates, own_gates)
    return gates, experts
