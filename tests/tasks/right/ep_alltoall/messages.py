import torch


class Rank:
    def __init__(self, number, gpus_per_node):
        self.number = number
        self.node, self.position = divmod(number, gpus_per_node)
        self.bytes = {(phase, way, link): 0 for phase in "dc" for way in ("out", "in") for link in ("near", "far")}
        self.work = 0


def send(sender, receiver, size_there, size_back):
    """Record one copy in the dispatch and the vector that is sent back for it in the combine."""
    if sender is receiver:
        return
    link = "near" if sender.node == receiver.node else "far"
    sender.bytes["d", "out", link] += size_there
    receiver.bytes["d", "in", link] += size_there
    receiver.bytes["c", "out", link] += size_back
    sender.bytes["c", "in", link] += size_back


def ep_alltoall(experts, num_experts, hidden, gpus_per_node, q_disp, q_comb, bw_intra, bw_inter, dedup):
    count = experts.shape[0]
    ranks = [Rank(number, gpus_per_node) for number in range(count)]
    owner = [ranks[expert * count // num_experts] for expert in range(num_experts)]
    sizes = hidden * q_disp, hidden * q_comb
    for home in ranks:
        for token in experts[home.number]:
            helpers = {}
            for expert in token.tolist():
                goal = owner[expert]
                goal.work += 1
                sender = home
                if dedup and goal.node != home.node:
                    if goal.node not in helpers:
                        helper = next(r for r in ranks if (r.node, r.position) == (goal.node, home.position))
                        send(home, helper, *sizes)
                        helpers[goal.node] = helper
                    sender = helpers[goal.node]
                send(sender, goal, *sizes)

    def seconds(phase):
        speeds = {"near": bw_intra, "far": bw_inter}
        return max(
            rank.bytes[phase, way, link] / speed for rank in ranks for way in ("out", "in") for link, speed in speeds.items()
        )

    def sent(phase):
        return torch.tensor([rank.bytes[phase, "out", "near"] + rank.bytes[phase, "out", "far"] for rank in ranks])

    work = [rank.work for rank in ranks]
    return sent("d"), sent("c"), seconds("d") + seconds("c"), max(work) * count / sum(work)
