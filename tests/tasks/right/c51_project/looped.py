import torch


def c51_project(next_p, r, done, support, gamma):
    atoms = support.tolist()
    step = (atoms[-1] - atoms[0]) / (len(atoms) - 1)
    target = [[0.0] * len(atoms) for _ in range(len(r))]
    for row, (reward, is_last) in enumerate(zip(r.tolist(), done.tolist(), strict=True)):
        pairs = [(reward, 1.0)] if is_last else [
            (reward + gamma * z, p) for z, p in zip(atoms, next_p[row].tolist(), strict=True)
        ]
        for value, p in pairs:
            place = min(max((value - atoms[0]) / step, 0.0), len(atoms) - 1.0)
            low = min(int(place), len(atoms) - 2)
            target[row][low] += p * (1 - (place - low))
            target[row][low + 1] += p * (place - low)
    return torch.tensor(target, dtype=next_p.dtype, device=next_p.device)
