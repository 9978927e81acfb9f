"""Only starts and rewards are stored; staleness, completeness and advantages are computed at each `take`."""


class Buffer:
    def __init__(self, group_size, batch_groups, max_staleness, strategy):
        self.group_size, self.batch_groups = group_size, batch_groups
        self.max_staleness, self.strategy = max_staleness, strategy
        self.prompts = {}  # in the order in which the groups entered
        self.versions = {}
        self.rewards = {}

    def start(self, group, member, prompt, version):
        self.prompts[group] = prompt
        self.versions.setdefault(group, {})[member] = version
        self.rewards.setdefault(group, {}).pop(member, None)

    def finish(self, group, member, reward):
        if group in self.prompts:
            self.rewards[group][member] = reward

    def take(self, version):
        complete = [group for group in self.prompts if len(self.rewards[group]) == self.group_size]
        age = {group: version - min(self.versions[group].values()) for group in self.prompts}
        stale = {group for group in age if age[group] > self.max_staleness} if self.strategy == "drop" else set()
        # Equality instead of a variance: the mean of three rewards of 0.1 is not 0.1.
        filtered = {group for group in complete if len(set(self.rewards[group].values())) == 1}
        evicted = [group for group in self.prompts if group in stale | filtered]
        batch = self._choose([group for group in complete if group not in evicted])
        if self.strategy == "wait" and any(age[g] >= self.max_staleness for g in self.prompts if g not in complete):
            batch = None
        result = None if batch is None else [(group, self._advantages(group)) for group in batch]
        for group in evicted + (batch or []):
            del self.prompts[group], self.versions[group], self.rewards[group]
        counts = {"stale": len(stale), "filtered": len(filtered), "refill": len(evicted)}
        return {"batch": result, "evicted": evicted, **counts}

    def _choose(self, groups):
        """Return the first groups with different prompts; None if there are too few."""
        first = {}
        for group in groups:
            first.setdefault(self.prompts[group], group)
        chosen = list(first.values())[: self.batch_groups]
        return chosen if len(chosen) == self.batch_groups else None

    def _advantages(self, group):
        rewards = [self.rewards[group][member] for member in range(self.group_size)]
        mean = sum(rewards) / self.group_size
        return [reward - mean for reward in rewards]


def group_aware_eviction(group_size, batch_groups, max_staleness, strategy):
    """Return a buffer of GRPO groups that evicts whole groups and counts one new prompt for each.

    Source: verl-project/verl verl/trainer/ppo/v1/replay_buffer.py at commit 1dda039, class ReplayBufferAsync.
    """
    return Buffer(group_size, batch_groups, max_staleness, strategy)
