# expect: wrong
# mistake: Bytes are accumulated and scaled in float32 and then cast to int64, so counts above 2**24 bytes are rounded.
import torch


def ep_alltoall(experts, num_experts, hidden, gpus_per_node, q_disp, q_comb, bw_intra, bw_inter, dedup):
    R, T, K = experts.shape
    N = R // gpus_per_node
    dest = experts // (num_experts // R)

    intra = torch.zeros((R, R))
    inter = torch.zeros((R, R))
    for r in range(R):
        own_node = r // gpus_per_node
        counts = torch.bincount(dest[r].reshape(-1), minlength=R)
        for d in range(R):
            if d == r:
                continue
            node = d // gpus_per_node
            if node == own_node:
                intra[r, d] += counts[d]
            elif not dedup:
                inter[r, d] += counts[d]
            else:
                relay = node * gpus_per_node + r % gpus_per_node
                if relay != d:
                    intra[relay, d] += counts[d]
        if dedup:
            for node in range(N):
                if node != own_node:
                    tokens = (dest[r] // gpus_per_node == node).any(1).sum()
                    inter[r, node * gpus_per_node + r % gpus_per_node] += tokens

    def phase(a, b, q):
        a_out, a_in = a.sum(1) * hidden * q, a.sum(0) * hidden * q
        b_out, b_in = b.sum(1) * hidden * q, b.sum(0) * hidden * q
        t = max(a_out.max().item() / bw_intra, a_in.max().item() / bw_intra,
                b_out.max().item() / bw_inter, b_in.max().item() / bw_inter)
        return (a_out + b_out).to(torch.int64), t

    dispatch, t_d = phase(intra, inter, q_disp)
    combine, t_c = phase(intra.T, inter.T, q_comb)
    load = torch.bincount(dest.reshape(-1), minlength=R)
    return dispatch, combine, t_d + t_c, load.max().item() * R / (R * T * K)
