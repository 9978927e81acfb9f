# expect: right
import torch


def ep_alltoall(experts, num_experts, hidden, gpus_per_node, q_disp, q_comb, bw_intra, bw_inter, dedup):
    routing = experts.tolist()
    R = len(routing)
    per_rank = num_experts // R

    # every vector that moves in the dispatch: (sender, receiver, is_network)
    messages = []
    load = [0] * R
    for r, tokens in enumerate(routing):
        for chosen in tokens:
            already = set()
            for e in chosen:
                home = e // per_rank
                load[home] += 1
                node = home // gpus_per_node
                if node == r // gpus_per_node:
                    if home != r:
                        messages.append((r, home, False))
                elif not dedup:
                    messages.append((r, home, True))
                else:
                    peer = node * gpus_per_node + r % gpus_per_node
                    if node not in already:
                        already.add(node)
                        messages.append((r, peer, True))
                    if peer != home:
                        messages.append((peer, home, False))

    def run(msgs, q):
        out = [[0, 0] for _ in range(R)]
        inn = [[0, 0] for _ in range(R)]
        for s, d, net in msgs:
            out[s][net] += hidden * q
            inn[d][net] += hidden * q
        bws = (bw_intra, bw_inter)
        t = max(x[l] / bws[l] for side in (out, inn) for x in side for l in (0, 1))
        return torch.tensor([sum(x) for x in out], dtype=torch.int64), float(t)

    disp, t1 = run(messages, q_disp)
    comb, t2 = run([(d, s, net) for s, d, net in messages], q_comb)
    return disp, comb, t1 + t2, max(load) / (sum(load) / R)
