# expect: right
class Buffer:
    def __init__(self, group_size, batch_groups, max_staleness, strategy):
        self.group_size = group_size
        self.batch_groups = batch_groups
        self.max_staleness = max_staleness
        self.wait = strategy == "wait"
        self.queue = []
        self.prompt = {}
        self.version = {}
        self.reward = {}

    def _members(self, group):
        return [m for m in range(self.group_size) if (group, m) in self.version]

    def _rewards(self, group):
        return [self.reward.get((group, m)) for m in range(self.group_size)]

    def _remove(self, group):
        self.queue.remove(group)
        del self.prompt[group]
        for m in range(self.group_size):
            self.version.pop((group, m), None)
            self.reward.pop((group, m), None)

    def start(self, group, member, prompt, version):
        if group not in self.prompt:
            self.queue.append(group)
            self.prompt[group] = prompt
        self.version[group, member] = version
        self.reward[group, member] = None

    def finish(self, group, member, reward):
        if group in self.prompt:
            self.reward[group, member] = reward

    def take(self, version):
        result = {"batch": None, "evicted": [], "stale": 0, "filtered": 0, "refill": 0}
        for group in list(self.queue):
            lags = [version - self.version[group, m] for m in self._members(group)]
            rewards = self._rewards(group)
            stale = (not self.wait) and any(lag > self.max_staleness for lag in lags)
            filtered = None not in rewards and all(r == rewards[0] for r in rewards)
            if stale:
                result["stale"] += 1
            if filtered:
                result["filtered"] += 1
            if stale or filtered:
                result["evicted"].append(group)
                result["refill"] += 1
                self._remove(group)

        complete = [g for g in self.queue if None not in self._rewards(g)]
        if self.wait:
            for group in self.queue:
                if group in complete:
                    continue
                if any(version - self.version[group, m] >= self.max_staleness for m in self._members(group)):
                    return result

        picked = []
        for group in complete:
            if len(picked) < self.batch_groups and self.prompt[group] not in [self.prompt[p] for p in picked]:
                picked.append(group)
        if len(picked) == self.batch_groups:
            result["batch"] = []
            for group in picked:
                rewards = self._rewards(group)
                mean = sum(rewards) / len(rewards)
                result["batch"].append((group, [r - mean for r in rewards]))
                self._remove(group)
        return result


def group_aware_eviction(group_size, batch_groups, max_staleness, strategy):
    return Buffer(group_size, batch_groups, max_staleness, strategy)
