# expect: wrong
# mistake: With "wait", only members that are still being generated can block the batch; finished members of an incomplete group at the staleness limit are ignored.
from collections import defaultdict


class Buffer:
    def __init__(self, group_size, batch_groups, max_staleness, strategy):
        assert strategy in ("drop", "wait")
        self.cfg = (group_size, batch_groups, max_staleness, strategy)
        self.order = []
        self.prompts = {}
        self.attempts = defaultdict(dict)      # group -> member -> [version, reward or None]

    def start(self, group, member, prompt, version):
        if group not in self.prompts:
            self.order.append(group)
            self.prompts[group] = prompt
        self.attempts[group][member] = [version, None]

    def finish(self, group, member, reward):
        if group in self.prompts:
            self.attempts[group][member][1] = reward

    def _drop(self, group):
        self.order.remove(group)
        self.prompts.pop(group)
        self.attempts.pop(group)

    def take(self, version):
        size, want, limit, strategy = self.cfg
        evicted = []
        stale_n = filtered_n = 0
        complete = []
        for group in self.order:
            members = self.attempts[group]
            rewards = [r for _, r in members.values() if r is not None]
            done = len(rewards) == size
            stale = strategy == "drop" and any(version - v > limit for v, _ in members.values())
            filtered = done and all(r == rewards[0] for r in rewards)
            stale_n += stale
            filtered_n += filtered
            if stale or filtered:
                evicted.append(group)
            elif done:
                complete.append(group)
        for group in evicted:
            self._drop(group)

        ready = True
        if strategy == "wait":
            for group in self.order:
                for v, r in self.attempts[group].values():
                    if r is None and version - v >= limit:
                        ready = False

        batch = None
        if ready:
            picked, used = [], set()
            for group in complete:
                if self.prompts[group] in used or len(picked) == want:
                    continue
                used.add(self.prompts[group])
                picked.append(group)
            if len(picked) == want:
                batch = []
                for group in picked:
                    rewards = [self.attempts[group][m][1] for m in range(size)]
                    mu = sum(rewards) / size
                    batch.append((group, [r - mu for r in rewards]))
                    self._drop(group)
        return {"batch": batch, "evicted": evicted, "stale": stale_n, "filtered": filtered_n, "refill": len(evicted)}


def group_aware_eviction(group_size, batch_groups, max_staleness, strategy):
    return Buffer(group_size, batch_groups, max_staleness, strategy)
