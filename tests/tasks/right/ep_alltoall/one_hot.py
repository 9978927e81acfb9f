import torch
import torch.nn.functional as F


def ep_alltoall(experts, num_experts, hidden, gpus_per_node, q_disp, q_comb, bw_intra, bw_inter, dedup):
    R, T, K = experts.shape
    G, nodes = gpus_per_node, experts.shape[0] // gpus_per_node
    # wanted[r, t, d]: how many of the token's experts are on rank d.
    wanted = F.one_hot(experts // (num_experts // R), R).sum(2)
    load = wanted.sum((0, 1))
    pairs = wanted.sum(1)
    rank = torch.arange(R)
    is_same_node = (rank // G)[:, None] == rank // G
    nvlink = pairs * is_same_node
    if dedup:
        visits = (wanted.reshape(R, T, nodes, G).sum(3) > 0).sum(1)
        is_entry = (rank % G)[:, None] == rank % G
        network = visits[:, rank // G] * is_entry * ~is_same_node
        remote = pairs * ~is_same_node
        # A copy for rank d from a rank with position p enters d's node at the rank with position p.
        by_position = remote.reshape(nodes, G, R).sum(0)
        nvlink = nvlink + by_position[rank % G] * is_same_node
    else:
        network = pairs * ~is_same_node
    nvlink = nvlink * (1 - torch.eye(R, dtype=torch.int64))
    out_n, in_n, out_w, in_w = nvlink.sum(1), nvlink.sum(0), network.sum(1), network.sum(0)
    slowest = max(int(max(out_n.max(), in_n.max())) / bw_intra, int(max(out_w.max(), in_w.max())) / bw_inter)
    seconds = slowest * hidden * q_disp + slowest * hidden * q_comb
    imbalance = load.max().item() * R / (R * T * K)
    return (out_n + out_w) * hidden * q_disp, (in_n + in_w) * hidden * q_comb, seconds, imbalance
