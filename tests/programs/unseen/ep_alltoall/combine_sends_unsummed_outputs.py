# expect: wrong
# mistake: With dedup, the combine sends one vector per expert back over the network instead of one sum per token and node.
import torch


class Traffic:
    def __init__(self, ranks, unit):
        self.unit = unit
        self.sent = {"nv": [0] * ranks, "net": [0] * ranks}
        self.recv = {"nv": [0] * ranks, "net": [0] * ranks}

    def add(self, link, a, b, n=1):
        self.sent[link][a] += n * self.unit
        self.recv[link][b] += n * self.unit

    def total(self):
        return torch.tensor([a + b for a, b in zip(self.sent["nv"], self.sent["net"])], dtype=torch.int64)

    def time(self, bw):
        return max(max(self.sent[k] + self.recv[k]) / bw[k] for k in bw)


def ep_alltoall(experts, num_experts, hidden, gpus_per_node, q_disp, q_comb, bw_intra, bw_inter, dedup):
    R, T, K = experts.shape
    per_rank = num_experts // R
    dispatch, combine = Traffic(R, hidden * q_disp), Traffic(R, hidden * q_comb)
    work = [0] * R

    for src, tokens in enumerate(experts.tolist()):
        src_node, pos = divmod(src, gpus_per_node)
        for token in tokens:
            by_node = {}
            for e in token:
                rank = e // per_rank
                work[rank] += 1
                by_node.setdefault(rank // gpus_per_node, []).append(rank)
            for node, ranks in by_node.items():
                if node == src_node:
                    for rank in ranks:
                        if rank != src:
                            dispatch.add("nv", src, rank)
                            combine.add("nv", rank, src)
                elif dedup:
                    proxy = node * gpus_per_node + pos
                    dispatch.add("net", src, proxy)
                    for rank in ranks:
                        if rank != proxy:
                            dispatch.add("nv", proxy, rank)
                            combine.add("nv", rank, proxy)
                    combine.add("net", proxy, src, len(ranks))
                else:
                    for rank in ranks:
                        dispatch.add("net", src, rank)
                        combine.add("net", rank, src)

    bw = {"nv": bw_intra, "net": bw_inter}
    return dispatch.total(), combine.total(), dispatch.time(bw) + combine.time(bw), max(work) / (T * K)
