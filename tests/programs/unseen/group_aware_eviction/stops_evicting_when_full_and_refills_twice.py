# expect: wrong
# mistake: Two mistakes: eviction stops at the group that fills the batch, so later stale or filtered groups stay, and refill is stale plus filtered, so a group that is both is refilled twice.
class Buffer:
    def __init__(self, group_size, batch_groups, max_staleness, strategy):
        self.group_size = group_size
        self.batch_groups = batch_groups
        self.max_staleness = max_staleness
        self.strategy = strategy
        self.groups = {}

    def start(self, group, member, prompt, version):
        info = self.groups.setdefault(group, {"prompt": prompt, "members": {}})
        info["members"][member] = (version, None)

    def finish(self, group, member, reward):
        if group not in self.groups:
            return
        version, _ = self.groups[group]["members"][member]
        self.groups[group]["members"][member] = (version, reward)

    def _done(self, info):
        rewards = [r for _, r in info["members"].values()]
        return len(rewards) == self.group_size and None not in rewards

    def _blocked(self, version):
        return self.strategy == "wait" and any(
            not self._done(info) and any(version - v >= self.max_staleness for v, _ in info["members"].values())
            for info in self.groups.values())

    def take(self, version):
        blocked = self._blocked(version)
        evicted, picked, prompts = [], [], set()
        stale_count = filtered_count = 0
        for group, info in self.groups.items():
            if len(picked) == self.batch_groups:
                break
            done = self._done(info)
            stale = self.strategy == "drop" and any(version - v > self.max_staleness
                                                    for v, _ in info["members"].values())
            filtered = done and len({r for _, r in info["members"].values()}) == 1
            if stale:
                stale_count += 1
            if filtered:
                filtered_count += 1
            if stale or filtered:
                evicted.append(group)
            elif done and not blocked and info["prompt"] not in prompts:
                prompts.add(info["prompt"])
                picked.append(group)
        for group in evicted:
            del self.groups[group]

        batch = None
        if len(picked) == self.batch_groups:
            batch = []
            for group in picked:
                members = self.groups.pop(group)["members"]
                rewards = [members[m][1] for m in range(self.group_size)]
                mean = sum(rewards) / self.group_size
                batch.append((group, [r - mean for r in rewards]))
        return {"batch": batch, "evicted": evicted, "stale": stale_count, "filtered": filtered_count,
                "refill": stale_count + filtered_count}


def group_aware_eviction(group_size, batch_groups, max_staleness, strategy):
    return Buffer(group_size, batch_groups, max_staleness, strategy)
