import torch

NOT_STARTED = 10**9


class TensorBuffer:
    """One row per group: versions and rewards as tensors, NaN for a reward that is not there yet."""

    def __init__(self, group_size, batch_groups, max_staleness, strategy):
        self.g, self.n, self.k, self.drops = group_size, batch_groups, max_staleness, strategy == "drop"
        self.ids, self.prompts = [], []
        self.versions = torch.empty(0, group_size, dtype=torch.long)
        self.rewards = torch.empty(0, group_size, dtype=torch.float64)

    def start(self, group, member, prompt, version):
        if group not in self.ids:
            self.ids.append(group)
            self.prompts.append(prompt)
            self.versions = torch.cat([self.versions, torch.full((1, self.g), NOT_STARTED)])
            self.rewards = torch.cat([self.rewards, torch.full((1, self.g), torch.nan, dtype=torch.float64)])
        row = self.ids.index(group)
        self.versions[row, member] = version
        self.rewards[row, member] = torch.nan

    def finish(self, group, member, reward):
        if group in self.ids:
            self.rewards[self.ids.index(group), member] = reward

    def _keep(self, mask):
        rows = mask.nonzero().flatten().tolist()
        self.ids = [self.ids[row] for row in rows]
        self.prompts = [self.prompts[row] for row in rows]
        self.versions, self.rewards = self.versions[mask], self.rewards[mask]

    def take(self, version):
        staleness = version - self.versions
        stale = (staleness > self.k).any(1) & self.drops
        flat = (self.rewards == self.rewards[:, :1]).all(1)
        gone = stale | flat
        out = {
            "batch": None,
            "evicted": [self.ids[row] for row in gone.nonzero().flatten().tolist()],
            "stale": int(stale.sum()),
            "filtered": int(flat.sum()),
            "refill": int(gone.sum()),
        }
        self._keep(~gone)
        complete = ~self.rewards.isnan().any(1)
        at_limit = (version - self.versions >= self.k).any(1)
        if not self.drops and bool((at_limit & ~complete).any()):
            return out
        rows = []
        for row in complete.nonzero().flatten().tolist():
            if self.prompts[row] not in [self.prompts[other] for other in rows]:
                rows.append(row)
        rows = rows[: self.n]
        if len(rows) == self.n:
            centered = self.rewards - self.rewards.mean(1, keepdim=True)
            out["batch"] = [(self.ids[row], centered[row].tolist()) for row in rows]
            left = torch.ones(len(self.ids), dtype=torch.bool)
            left[rows] = False
            self._keep(left)
        return out


def group_aware_eviction(group_size, batch_groups, max_staleness, strategy):
    return TensorBuffer(group_size, batch_groups, max_staleness, strategy)
