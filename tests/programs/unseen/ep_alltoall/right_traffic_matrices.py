# expect: right
import torch


def _pairs(src, dst, R):
    return torch.bincount(src * R + dst, minlength=R * R).reshape(R, R)


def ep_alltoall(experts, num_experts, hidden, gpus_per_node, q_disp, q_comb, bw_intra, bw_inter, dedup):
    R, T, K = experts.shape
    g = gpus_per_node
    dst = experts // (num_experts // R)
    src = torch.arange(R).reshape(R, 1, 1) + torch.zeros_like(dst)

    remote = (src // g) != (dst // g)
    local = ~remote & (src != dst)
    nvl = _pairs(src[local], dst[local], R)

    if dedup:
        relay = dst // g * g + src % g
        fwd = remote & (relay != dst)
        nvl = nvl + _pairs(relay[fwd], dst[fwd], R)
        nodes = torch.arange(R // g)
        hit = ((dst // g)[:, :, :, None] == nodes).any(2)          # [R, T, nodes]
        copies = hit.sum(1)                                        # [R, nodes]
        ranks = torch.arange(R)
        copies[ranks, ranks // g] = 0
        net = torch.zeros((R, R), dtype=torch.int64)
        net[ranks[:, None], nodes[None, :] * g + (ranks % g)[:, None]] = copies
    else:
        net = _pairs(src[remote], dst[remote], R)

    def busiest(m):
        return max(int(m.sum(0).max()), int(m.sum(1).max()))

    def phase(q):
        return max(busiest(nvl) * hidden * q / bw_intra, busiest(net) * hidden * q / bw_inter)

    total = nvl + net
    load = torch.bincount(dst.reshape(-1), minlength=R)
    imbalance = int(load.max()) / (T * K)
    return total.sum(1) * (hidden * q_disp), total.sum(0) * (hidden * q_comb), phase(q_disp) + phase(q_comb), imbalance
