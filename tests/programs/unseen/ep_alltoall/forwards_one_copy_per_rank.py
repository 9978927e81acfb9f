# expect: wrong
# mistake: With dedup, the relay forwards only one copy of a token per destination rank over NVLink, even if several of the token's experts are on that rank, instead of one copy per expert.
import torch


def ep_alltoall(experts, num_experts, hidden, gpus_per_node, q_disp, q_comb, bw_intra, bw_inter, dedup):
    R, T, K = experts.shape
    g = gpus_per_node
    owner = (experts // (num_experts // R)).tolist()

    nv_out, nv_in = [0] * R, [0] * R
    net_out, net_in = [0] * R, [0] * R
    load = [0] * R

    def nv(a, b):
        if a != b:
            nv_out[a] += 1
            nv_in[b] += 1

    def net(a, b):
        net_out[a] += 1
        net_in[b] += 1

    for r in range(R):
        for t in range(T):
            remote_nodes = {}
            for d in owner[r][t]:
                load[d] += 1
                if d // g == r // g:
                    nv(r, d)
                elif dedup:
                    remote_nodes.setdefault(d // g, set()).add(d)
                else:
                    net(r, d)
            for node, ranks in remote_nodes.items():
                relay = node * g + r % g
                net(r, relay)
                for d in ranks:
                    nv(relay, d)

    disp = [(a + b) * hidden * q_disp for a, b in zip(nv_out, net_out)]
    comb = [(a + b) * hidden * q_comb for a, b in zip(nv_in, net_in)]
    slowest = max(max(nv_out + nv_in) / bw_intra, max(net_out + net_in) / bw_inter)
    seconds = slowest * hidden * q_disp + slowest * hidden * q_comb
    imbalance = max(load) * R / sum(load)
    return (torch.tensor(disp, dtype=torch.int64), torch.tensor(comb, dtype=torch.int64), seconds, imbalance)
