# expect: wrong
# mistake: Episodes are split where done is true (and at the end of the buffer) instead of where ends is true, so an episode that ends with a time limit is merged with the next one.
import torch


def her_relabel(achieved, desired, r, done, ends, draws, threshold, strategy="future"):
    total, copies = draws.shape
    final = [0] * total
    begin = [0] * total
    current = total - 1
    for i in reversed(range(total)):
        if done[i]:
            current = i
        final[i] = current
    current = 0
    for i in range(total):
        begin[i] = current
        if done[i]:
            current = i + 1
    source = list(range(total))
    goals, rewards, dones = [desired], [r], [done]
    for i in range(total):
        low = {"future": i, "episode": begin[i], "final": final[i]}[strategy]
        count = final[i] - low + 1
        for j in range(copies):
            new = achieved[low + int(float(draws[i, j]) * count)]
            ok = bool((achieved[i] - new).norm() <= threshold)
            source.append(i)
            goals.append(new[None])
            rewards.append(r.new_tensor([0.0 if ok else -1.0]))
            dones.append(torch.tensor([ok]))
    return torch.tensor(source), torch.cat(goals), torch.cat(rewards), torch.cat(dones)
