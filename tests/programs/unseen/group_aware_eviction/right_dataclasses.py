# expect: right
from dataclasses import dataclass, field


@dataclass
class _Group:
    prompt: object
    versions: dict = field(default_factory=dict)
    rewards: dict = field(default_factory=dict)

    def complete(self, size):
        return len(self.rewards) == size

    def oldest(self):
        return min(self.versions.values())


class Buffer:
    def __init__(self, group_size, batch_groups, max_staleness, strategy):
        self.size, self.n, self.limit, self.strategy = group_size, batch_groups, max_staleness, strategy
        self.groups = {}          # insertion order is the order of entering
        self.gone = set()

    def start(self, group, member, prompt, version):
        if group in self.gone:
            return
        g = self.groups.setdefault(group, _Group(prompt))
        g.versions[member] = version
        g.rewards.pop(member, None)

    def finish(self, group, member, reward):
        g = self.groups.get(group)
        if g is not None:
            g.rewards[member] = reward

    def take(self, version):
        evicted, n_stale, n_filtered = [], 0, 0
        for gid, g in self.groups.items():
            stale = self.strategy == "drop" and version - g.oldest() > self.limit
            filtered = g.complete(self.size) and len(set(g.rewards.values())) == 1
            n_stale += stale
            n_filtered += filtered
            if stale or filtered:
                evicted.append(gid)
        for gid in evicted:
            del self.groups[gid]
            self.gone.add(gid)
        return {"batch": self._batch(version), "evicted": evicted, "stale": n_stale, "filtered": n_filtered,
                "refill": len(evicted)}

    def _batch(self, version):
        if self.strategy == "wait":
            for g in self.groups.values():
                if not g.complete(self.size) and version - g.oldest() >= self.limit:
                    return None
        chosen, prompts = [], set()
        for gid, g in self.groups.items():
            if len(chosen) == self.n:
                break
            if g.complete(self.size) and g.prompt not in prompts:
                prompts.add(g.prompt)
                chosen.append(gid)
        if len(chosen) < self.n:
            return None
        batch = []
        for gid in chosen:
            rewards = self.groups.pop(gid).rewards
            mean = sum(rewards.values()) / self.size
            batch.append((gid, [rewards[m] - mean for m in range(self.size)]))
        return batch


def group_aware_eviction(group_size, batch_groups, max_staleness, strategy):
    return Buffer(group_size, batch_groups, max_staleness, strategy)
