import torch


class Rollout:
    """Three growing tensors; masks are computed over all of them at the end."""

    def __init__(self, prompt, budget, eos_id, policy, max_span):
        self.prompt, self.budget, self.eos_id, self.policy, self.max_span = prompt, budget, eos_id, policy, max_span
        self.tok = torch.empty(0, dtype=torch.long)
        self.lp = torch.empty(0, dtype=torch.float64)
        self.ver = torch.empty(0, dtype=torch.long)

    def left(self):
        sampled = self.ver >= 0
        if (self.tok[sampled] == self.eos_id).any():
            return 0
        return self.budget - int(sampled.sum())

    def _extend(self, tok, lp, ver):
        self.tok = torch.cat([self.tok, tok])
        self.lp = torch.cat([self.lp, lp])
        self.ver = torch.cat([self.ver, torch.full_like(tok, ver)])

    def append(self, tokens, logps, version):
        tok = torch.tensor(tokens, dtype=torch.long)[: self.left()]
        ends = (tok == self.eos_id).nonzero()
        if len(ends):
            tok = tok[: int(ends[0]) + 1]
        self._extend(tok, torch.tensor(logps, dtype=torch.float64)[: len(tok)], version)

    def append_tool(self, tokens):
        if self.left() > 0:
            self._extend(torch.tensor(tokens), torch.zeros(len(tokens), dtype=torch.float64), -1)

    def resume(self):
        return self.prompt + self.tok.tolist(), self.left()

    def finalize(self, version):
        sampled = self.ver >= 0
        own = self.ver[sampled]
        mask = sampled.clone()
        if self.policy == "mask_old":
            mask &= self.ver == version
        if self.policy == "drop" and len(own):
            mask &= bool(own.max() - own.min() <= self.max_span)
        spans = []
        if len(self.ver):
            values, counts = torch.unique_consecutive(self.ver, return_counts=True)
            ends = counts.cumsum(0)
            for v, s, e in zip(values.tolist(), (ends - counts).tolist(), ends.tolist(), strict=False):
                if v >= 0:
                    spans.append((v, s, e))
        lag = (version - own).double()
        head, tail, mean = (lag[0], lag[-1], lag.mean()) if len(lag) else (0.0, 0.0, 0.0)
        return {
            "tokens": self.tok.tolist(),
            "logps": self.lp.tolist(),
            "versions": self.ver.tolist(),
            "loss_mask": mask.tolist(),
            "spans": spans,
            "staleness": {"head": float(head), "tail": float(tail), "mean": float(mean)},
        }


def partial_rollout_bookkeeping(prompt, max_new_tokens, eos_id, policy="train_all", max_span=None):
    return Rollout(prompt, max_new_tokens, eos_id, policy, max_span)
