# expect: wrong
# mistake: The bias is updated after every microbatch from that microbatch's load, and the next microbatch is routed with the updated bias, instead of one update per step.
import torch


def _route(s, b, k):
    idx = torch.topk(s.detach() + b, k, dim=-1).indices
    w = s.gather(-1, idx)
    return w / w.sum(-1, keepdim=True), idx


def aux_free_bias_update(scores, bias, k, u):
    num_experts = scores.shape[-1]
    current = bias.detach().float().clone()
    all_gates, all_experts = [], []
    for micro in scores:
        gates, idx = _route(micro.float(), current, k)
        all_gates.append(gates)
        all_experts.append(idx)
        load = torch.bincount(idx.reshape(-1), minlength=num_experts).float()
        mean = load.sum() / num_experts
        current = current + u * (load < mean).float() - u * (load > mean).float()
    return torch.stack(all_gates), torch.stack(all_experts), current
