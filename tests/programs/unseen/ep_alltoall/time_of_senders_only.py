# expect: wrong
# mistake: The time of each phase is the busiest sending side of any link, so a link that receives more than any link sends is not counted.
import torch


def ep_alltoall(experts, num_experts, hidden, gpus_per_node, q_disp, q_comb, bw_intra, bw_inter, dedup):
    R, T, K = experts.shape
    g = gpus_per_node
    rank_of = experts // (num_experts // R)
    nvlink = torch.zeros((R, R), dtype=torch.int64)     # [from, to], copies
    network = torch.zeros((R, R), dtype=torch.int64)

    for r in range(R):
        for t in range(T):
            dests = rank_of[r, t].tolist()
            nodes_sent = set()
            for d in dests:
                if d == r:
                    continue
                if d // g == r // g:
                    nvlink[r, d] += 1
                    continue
                if not dedup:
                    network[r, d] += 1
                    continue
                relay = (d // g) * g + (r % g)
                if d // g not in nodes_sent:
                    nodes_sent.add(d // g)
                    network[r, relay] += 1
                if d != relay:
                    nvlink[relay, d] += 1

    disp_nv, disp_net = nvlink.sum(1) * hidden * q_disp, network.sum(1) * hidden * q_disp
    comb_nv, comb_net = nvlink.sum(0) * hidden * q_comb, network.sum(0) * hidden * q_comb
    seconds = max(int(disp_nv.max()) / bw_intra, int(disp_net.max()) / bw_inter)
    seconds += max(int(comb_nv.max()) / bw_intra, int(comb_net.max()) / bw_inter)

    load = torch.bincount(rank_of.reshape(-1), minlength=R)
    imbalance = int(load.max()) / (int(load.sum()) / R)
    return disp_nv + disp_net, comb_nv + comb_net, seconds, imbalance
