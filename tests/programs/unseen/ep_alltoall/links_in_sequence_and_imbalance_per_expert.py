# expect: wrong
# mistake: Two mistakes: the times of a rank's NVLink and network traffic are added instead of overlapping, and imbalance compares single experts instead of ranks.
import torch


def ep_alltoall(experts, num_experts, hidden, gpus_per_node, q_disp, q_comb, bw_intra, bw_inter, dedup):
    R, T, K = experts.shape
    per_rank = num_experts // R
    node_of = [r // gpus_per_node for r in range(R)]

    nv_send, nv_recv, net_send, net_recv = ([0] * R for _ in range(4))
    for r, tokens in enumerate(experts.tolist()):
        for chosen in tokens:
            ranks = [e // per_rank for e in chosen]
            for d in ranks:
                hop = r
                if node_of[d] != node_of[r]:
                    if not dedup:
                        net_send[r] += 1
                        net_recv[d] += 1
                        continue
                    hop = node_of[d] * gpus_per_node + r % gpus_per_node
                if hop != d:
                    nv_send[hop] += 1
                    nv_recv[d] += 1
            if dedup:
                for n in set(node_of[d] for d in ranks) - {node_of[r]}:
                    net_send[r] += 1
                    net_recv[n * gpus_per_node + r % gpus_per_node] += 1

    vec_d, vec_c = hidden * q_disp, hidden * q_comb
    busy_send = max(a / bw_intra + b / bw_inter for a, b in zip(nv_send, net_send))
    busy_recv = max(a / bw_intra + b / bw_inter for a, b in zip(nv_recv, net_recv))
    busy = max(busy_send, busy_recv)
    seconds = busy * vec_d + busy * vec_c

    per_expert = torch.bincount(experts.reshape(-1), minlength=num_experts)
    imbalance = int(per_expert.max()) / (R * T * K / num_experts)
    dispatch = torch.tensor([(a + b) * vec_d for a, b in zip(nv_send, net_send)], dtype=torch.int64)
    combine = torch.tensor([(a + b) * vec_c for a, b in zip(nv_recv, net_recv)], dtype=torch.int64)
    return dispatch, combine, seconds, imbalance
