from collections import Counter

import torch


def ep_alltoall(experts, num_experts, hidden, gpus_per_node, q_disp, q_comb, bw_intra, bw_inter, dedup):
    ranks = len(experts)
    experts_per_rank = num_experts // ranks

    def node(rank):
        return rank // gpus_per_node

    def hops(source, chosen):
        """Return the transfers of one token as (from, to) pairs of ranks."""
        pairs = []
        for node_of_target in range(ranks // gpus_per_node):
            targets = [e // experts_per_rank for e in chosen if node(e // experts_per_rank) == node_of_target]
            if not targets:
                continue
            start = source
            if dedup and node_of_target != node(source):
                start = node_of_target * gpus_per_node + source % gpus_per_node
                pairs.append((source, start))
            pairs += [(start, target) for target in targets]
        return [(a, b) for a, b in pairs if a != b]

    def run(transfers, bytes_per_copy):
        sent, received = Counter(), Counter()
        for a, b in transfers:
            link = "nvlink" if node(a) == node(b) else "network"
            sent[a, link] += bytes_per_copy
            received[b, link] += bytes_per_copy
        bandwidth = {"nvlink": bw_intra, "network": bw_inter}
        times = [size / bandwidth[link] for loads in (sent, received) for (_, link), size in loads.items()]
        bytes_sent = [sent[rank, "nvlink"] + sent[rank, "network"] for rank in range(ranks)]
        return torch.tensor(bytes_sent), max(times, default=0.0)

    there = [hop for source in range(ranks) for chosen in experts[source].tolist() for hop in hops(source, chosen)]
    back = [(b, a) for a, b in there]
    dispatch, first = run(there, hidden * q_disp)
    combine, second = run(back, hidden * q_comb)
    work = Counter(e // experts_per_rank for e in experts.flatten().tolist())
    return dispatch, combine, first + second, max(work.values()) / (experts.numel() / ranks)
