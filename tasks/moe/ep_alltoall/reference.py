"""Count the copies from rank to rank on both links; the combine sends the same number in the opposite direction."""

import torch


def ep_alltoall(experts, num_experts, hidden, gpus_per_node, q_disp, q_comb, bw_intra, bw_inter, dedup):
    """Return the bytes that each rank sends in the dispatch and in the combine, the seconds, and the load imbalance.

    Source: DeepSeek-V3, arXiv:2412.19437, section 3.2.2.
    """
    ranks = experts.shape[0]
    targets = experts // (num_experts // ranks)
    load = torch.bincount(targets.flatten(), minlength=ranks)
    # Copies from one rank (row) to another (column).
    intra = torch.zeros((ranks, ranks), dtype=torch.int64)
    inter = torch.zeros((ranks, ranks), dtype=torch.int64)
    for rank, tokens in enumerate(targets.tolist()):
        for chosen in tokens:
            entries = set()
            for target in chosen:
                node = target // gpus_per_node
                if node == rank // gpus_per_node:
                    intra[rank, target] += 1
                elif dedup:
                    entry = node * gpus_per_node + rank % gpus_per_node
                    entries.add(entry)
                    intra[entry, target] += 1
                else:
                    inter[rank, target] += 1
            for entry in entries:
                inter[rank, entry] += 1
    intra.fill_diagonal_(0)

    busiest = max(
        float(max(copies.sum(0).max(), copies.sum(1).max())) / bandwidth
        for copies, bandwidth in ((intra, bw_intra), (inter, bw_inter))
    )
    sent = (intra + inter).sum(1) * hidden * q_disp
    returned = (intra + inter).sum(0) * hidden * q_comb
    return sent, returned, busiest * hidden * (q_disp + q_comb), float(load.max() / load.double().mean())
