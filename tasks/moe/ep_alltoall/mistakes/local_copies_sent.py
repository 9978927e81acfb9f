import torch


def ep_alltoall(experts, num_experts, hidden, gpus_per_node, q_disp, q_comb, bw_intra, bw_inter, dedup):
    R = experts.shape[0]
    per_rank = num_experts // R
    nvlink = [[0] * R for _ in range(R)]
    network = [[0] * R for _ in range(R)]
    load = [0] * R
    for r in range(R):
        for chosen in experts[r].tolist():
            seen = set()
            for expert in chosen:
                target = expert // per_rank
                load[target] += 1
                node = target // gpus_per_node
                entry = node * gpus_per_node + r % gpus_per_node
                if node == r // gpus_per_node:
                    nvlink[r][target] += 1
                elif not dedup:
                    network[r][target] += 1
                else:
                    if node not in seen:
                        network[r][entry] += 1
                        seen.add(node)
                    if target != entry:
                        nvlink[entry][target] += 1
    nvlink, network = torch.tensor(nvlink), torch.tensor(network)

    def count(link):
        return link.sum(1), link.sum(0)

    def time(q):
        seconds = 0.0
        for link, bw in ((nvlink, bw_intra), (network, bw_inter)):
            out, into = count(link)
            seconds = max(seconds, int(torch.maximum(out, into).max()) * hidden * q / bw)
        return seconds

    dispatch = (nvlink + network).sum(1) * hidden * q_disp
    combine = (nvlink + network).sum(0) * hidden * q_comb
    seconds = time(q_disp) + time(q_comb)
    imbalance = max(load) / (sum(load) / R)
    return dispatch, combine, seconds, imbalance
