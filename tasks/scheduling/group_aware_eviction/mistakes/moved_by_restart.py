class Buffer:
    def __init__(self, group_size, batch_groups, max_staleness, strategy):
        self.group_size = group_size
        self.batch_groups = batch_groups
        self.max_staleness = max_staleness
        self.strategy = strategy
        self.order = []
        self.prompt = {}
        self.members = {}

    def start(self, group, member, prompt, version):
        if group in self.members and member in self.members[group]:
            self.order.remove(group)
            self.order.append(group)
        if group not in self.members:
            self.order.append(group)
            self.prompt[group] = prompt
            self.members[group] = {}
        self.members[group][member] = {"version": version, "reward": None}

    def finish(self, group, member, reward):
        if group not in self.members:
            return
        self.members[group][member]["reward"] = reward

    def remove(self, group):
        self.order.remove(group)
        del self.members[group]

    def rewards(self, group):
        return [self.members[group][m]["reward"] for m in sorted(self.members[group])]

    def is_complete(self, group):
        rewards = self.rewards(group)
        return len(rewards) == self.group_size and None not in rewards

    def staleness(self, group, version):
        return max(version - one["version"] for one in self.members[group].values())

    def is_stale(self, group, version):
        return self.strategy == "drop" and self.staleness(group, version) > self.max_staleness

    def is_filtered(self, group):
        if not self.is_complete(group):
            return False
        rewards = self.rewards(group)
        return all(r == rewards[0] for r in rewards)

    def advantages(self, group):
        rewards = self.rewards(group)
        mean = sum(rewards) / len(rewards)
        return [r - mean for r in rewards]

    def is_waiting(self, version):
        if self.strategy != "wait":
            return False
        for group in self.order:
            if not self.is_complete(group) and self.staleness(group, version) >= self.max_staleness:
                return True
        return False

    def choose(self, version):
        chosen = []
        prompts = set()
        for group in self.order:
            if not self.is_complete(group) or self.prompt[group] in prompts:
                continue
            if len(chosen) < self.batch_groups:
                chosen.append(group)
                prompts.add(self.prompt[group])
        return chosen

    def take(self, version):
        evicted = []
        stale = 0
        filtered = 0
        for group in list(self.order):
            old = self.is_stale(group, version)
            flat = self.is_filtered(group)
            stale += old
            filtered += flat
            if old or flat:
                evicted.append(group)
                self.remove(group)
        refill = len(evicted)
        batch = None
        if not self.is_waiting(version):
            chosen = self.choose(version)
            if len(chosen) == self.batch_groups:
                batch = [(group, self.advantages(group)) for group in chosen]
                for group in chosen:
                    self.remove(group)
        return {"batch": batch, "evicted": evicted, "stale": stale, "filtered": filtered, "refill": refill}


def group_aware_eviction(group_size, batch_groups, max_staleness, strategy):
    return Buffer(group_size, batch_groups, max_staleness, strategy)
