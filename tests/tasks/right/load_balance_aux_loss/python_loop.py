import torch


def load_balance_aux_loss(logits, mask, k, per_sequence=False, global_counts=None, z_coef=0.0):
    B, T, E = logits.shape
    graph = torch.where(mask[:, :, None], logits, 0.0).sum() * 0
    positions = [(b, t) for b in range(B) for t in range(T) if mask[b, t]]
    logp = {place: torch.log_softmax(logits[place], dim=0) for place in positions}
    norm = {place: (logits[place] - logp[place]).mean() for place in positions}
    best = {place: sorted(range(E), key=lambda e: -logits[place][e].item())[:k] for place in positions}

    def balance(places, counts, n):
        total = graph
        for place in places:
            p = logp[place].exp()
            for e in range(E):
                total = total + p[e] * (E * counts[e] / (k * n * n))
        return total

    def count(places):
        counts = [0] * E
        for place in places:
            for e in best[place]:
                counts[e] += 1
        return counts

    n = len(positions)
    if per_sequence:
        losses = []
        for b in range(B):
            places = [place for place in positions if place[0] == b]
            if places:
                losses.append(balance(places, count(places), len(places)))
        loss = sum(losses, graph) / max(1, len(losses))
    elif global_counts is not None:
        counts = global_counts.tolist()
        n = sum(counts) // k
        loss = balance(positions, counts, n)
    else:
        loss = balance(positions, count(positions), n)
    for place in positions:
        loss = loss + z_coef * norm[place] ** 2 / n
    return loss
