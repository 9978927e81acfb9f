# expect: wrong
# mistake: The advantage is the reward minus the group mean divided by the population standard deviation of the group, instead of only the difference from the mean.
from collections import OrderedDict
import math


class Buffer:
    def __init__(self, group_size, batch_groups, max_staleness, strategy):
        self.group_size = group_size
        self.batch_groups = batch_groups
        self.max_staleness = max_staleness
        self.strategy = strategy
        self.groups = OrderedDict()

    def start(self, group, member, prompt, version):
        if group not in self.groups:
            self.groups[group] = {"prompt": prompt, "version": [None] * self.group_size,
                                  "reward": [None] * self.group_size}
        self.groups[group]["version"][member] = version
        self.groups[group]["reward"][member] = None

    def finish(self, group, member, reward):
        if group in self.groups:
            self.groups[group]["reward"][member] = reward

    def _complete(self, g):
        return all(r is not None for r in g["reward"])

    def _max_lag(self, g, version):
        return max(version - v for v in g["version"] if v is not None)

    def _advantages(self, rewards):
        mean = sum(rewards) / len(rewards)
        std = math.sqrt(sum((r - mean) ** 2 for r in rewards) / len(rewards))
        return [(r - mean) / std for r in rewards]

    def take(self, version):
        evicted, stale_count, filtered_count = [], 0, 0
        for gid, g in self.groups.items():
            stale = self.strategy == "drop" and self._max_lag(g, version) > self.max_staleness
            filtered = self._complete(g) and len(set(g["reward"])) == 1
            stale_count += int(stale)
            filtered_count += int(filtered)
            if stale or filtered:
                evicted.append(gid)
        for gid in evicted:
            self.groups.pop(gid)

        out = {"batch": None, "evicted": evicted, "stale": stale_count, "filtered": filtered_count,
               "refill": len(evicted)}
        if self.strategy == "wait" and any(not self._complete(g) and self._max_lag(g, version) >= self.max_staleness
                                           for g in self.groups.values()):
            return out
        chosen, seen = [], set()
        for gid, g in self.groups.items():
            if self._complete(g) and g["prompt"] not in seen:
                seen.add(g["prompt"])
                chosen.append(gid)
                if len(chosen) == self.batch_groups:
                    break
        if len(chosen) == self.batch_groups:
            out["batch"] = [(gid, self._advantages(self.groups.pop(gid)["reward"])) for gid in chosen]
        return out


def group_aware_eviction(group_size, batch_groups, max_staleness, strategy):
    return Buffer(group_size, batch_groups, max_staleness, strategy)
