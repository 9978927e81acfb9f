# expect: wrong
# mistake: imbalance counts only the copies whose expert is not on the token's own rank, so copies that did not have to be sent are left out of the maximum and of the mean.
import torch


def ep_alltoall(experts, num_experts, hidden, gpus_per_node, q_disp, q_comb, bw_intra, bw_inter, dedup):
    R, T, K = experts.shape
    g = gpus_per_node
    dst = (experts // (num_experts // R)).reshape(-1)
    src = torch.arange(R * T * K) // (T * K)
    tok = torch.arange(R * T * K) // K

    moved = src != dst
    src, dst, tok = src[moved], dst[moved], tok[moved]
    load = torch.bincount(dst, minlength=R)

    cross = src // g != dst // g
    nv_src, nv_dst = src[~cross].tolist(), dst[~cross].tolist()
    net_src, net_dst = src[cross].tolist(), dst[cross].tolist()
    if dedup:
        unique = {}
        for s, d, t in zip(net_src, net_dst, tok[cross].tolist()):
            relay = d // g * g + s % g
            unique[(t, relay)] = s
            if relay != d:
                nv_src.append(relay)
                nv_dst.append(d)
        net_src = list(unique.values())
        net_dst = [relay for _, relay in unique]

    def histogram(xs):
        return torch.bincount(torch.tensor(xs, dtype=torch.int64), minlength=R)

    ns, nd, ws, wd = histogram(nv_src), histogram(nv_dst), histogram(net_src), histogram(net_dst)
    per_byte = max(int(ns.max()) / bw_intra, int(nd.max()) / bw_intra, int(ws.max()) / bw_inter, int(wd.max()) / bw_inter)
    seconds = per_byte * hidden * (q_disp + q_comb)
    total = int(load.sum())
    imbalance = int(load.max()) * R / total if total else 1.0
    return (ns + ws) * hidden * q_disp, (nd + wd) * hidden * q_comb, seconds, imbalance
