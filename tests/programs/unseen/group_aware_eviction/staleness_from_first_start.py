# expect: wrong
# mistake: A group's staleness is measured from the version with which the group entered the buffer (its first start) instead of from the oldest latest start of its members.
class Group:
    def __init__(self, prompt, version):
        self.prompt = prompt
        self.version = version
        self.rewards = {}


class Buffer:
    def __init__(self, group_size, batch_groups, max_staleness, strategy):
        self.group_size = group_size
        self.batch_groups = batch_groups
        self.max_staleness = max_staleness
        self.strategy = strategy
        self.groups = {}

    def start(self, group, member, prompt, version):
        if group not in self.groups:
            self.groups[group] = Group(prompt, version)
        self.groups[group].rewards.pop(member, None)

    def finish(self, group, member, reward):
        if group in self.groups:
            self.groups[group].rewards[member] = reward

    def take(self, version):
        stale, filtered = [], []
        for gid, g in self.groups.items():
            done = len(g.rewards) == self.group_size
            if self.strategy == "drop" and version - g.version > self.max_staleness:
                stale.append(gid)
            if done and min(g.rewards.values()) == max(g.rewards.values()):
                filtered.append(gid)
        evicted = [gid for gid in self.groups if gid in stale or gid in filtered]
        for gid in evicted:
            del self.groups[gid]

        batch = None
        blocked = self.strategy == "wait" and any(
            len(g.rewards) < self.group_size and version - g.version >= self.max_staleness
            for g in self.groups.values())
        if not blocked:
            picks = {}
            for gid, g in self.groups.items():
                if len(g.rewards) == self.group_size and g.prompt not in picks and len(picks) < self.batch_groups:
                    picks[g.prompt] = gid
            if len(picks) == self.batch_groups:
                batch = []
                for gid in picks.values():
                    rewards = self.groups.pop(gid).rewards
                    baseline = sum(rewards.values()) / self.group_size
                    batch.append((gid, [rewards[m] - baseline for m in range(self.group_size)]))
        return dict(batch=batch, evicted=evicted, stale=len(stale), filtered=len(filtered), refill=len(evicted))


def group_aware_eviction(group_size, batch_groups, max_staleness, strategy):
    return Buffer(group_size, batch_groups, max_staleness, strategy)
