# expect: wrong
# mistake: A group is filtered if all computed advantages are exactly 0.0, which misses groups of equal rewards whose floating-point mean differs from the reward (three rewards of 0.1).
class Member:
    __slots__ = ("version", "reward")

    def __init__(self, version):
        self.version = version
        self.reward = None


class Group:
    def __init__(self, gid, prompt, size):
        self.gid, self.prompt, self.size = gid, prompt, size
        self.members = {}

    @property
    def complete(self):
        return len(self.members) == self.size and all(m.reward is not None for m in self.members.values())

    def advantages(self):
        rewards = [self.members[i].reward for i in range(self.size)]
        mean = sum(rewards) / self.size
        return [r - mean for r in rewards]

    def staleness(self, version):
        return max(version - m.version for m in self.members.values())

    def no_signal(self):
        return self.complete and all(a == 0.0 for a in self.advantages())


class Buffer:
    def __init__(self, group_size, batch_groups, max_staleness, strategy):
        self.group_size, self.batch_groups = group_size, batch_groups
        self.max_staleness, self.strategy = max_staleness, strategy
        self.groups = {}

    def start(self, group, member, prompt, version):
        if group not in self.groups:
            self.groups[group] = Group(group, prompt, self.group_size)
        self.groups[group].members[member] = Member(version)

    def finish(self, group, member, reward):
        if group in self.groups:
            self.groups[group].members[member].reward = reward

    def take(self, version):
        drop = self.strategy == "drop"
        stale = {g.gid for g in self.groups.values() if drop and g.staleness(version) > self.max_staleness}
        filtered = {g.gid for g in self.groups.values() if g.no_signal()}
        evicted = [gid for gid in self.groups if gid in stale | filtered]
        for gid in evicted:
            del self.groups[gid]
        return {"batch": self._pick(version), "evicted": evicted, "stale": len(stale), "filtered": len(filtered),
                "refill": len(evicted)}

    def _pick(self, version):
        if self.strategy == "wait":
            if any(not g.complete and g.staleness(version) >= self.max_staleness for g in self.groups.values()):
                return None
        picked, prompts = [], set()
        for g in self.groups.values():
            if g.complete and g.prompt not in prompts and len(picked) < self.batch_groups:
                picked.append(g)
                prompts.add(g.prompt)
        if len(picked) < self.batch_groups:
            return None
        for g in picked:
            del self.groups[g.gid]
        return [(g.gid, g.advantages()) for g in picked]


def group_aware_eviction(group_size, batch_groups, max_staleness, strategy):
    return Buffer(group_size, batch_groups, max_staleness, strategy)
