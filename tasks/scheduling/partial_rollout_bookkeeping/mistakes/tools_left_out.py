from dataclasses import dataclass, field
from itertools import groupby
from statistics import fmean
from typing import NamedTuple


class Entry(NamedTuple):
    token: int
    logp: float
    version: int | None


@dataclass
class Rollout:
    prompt: list
    budget: int
    eos: int
    policy: str
    max_span: int | None
    log: list = field(default_factory=list)

    @property
    def own(self):
        return [e for e in self.log if e.version is not None]

    @property
    def remaining(self):
        own = self.own
        return 0 if any(e.token == self.eos for e in own) else self.budget - len(own)

    def append(self, tokens, logps, version):
        for token, logp in zip(tokens, logps):
            if self.remaining > 0:
                self.log.append(Entry(token, logp, version))

    def append_tool(self, tokens):
        if self.remaining > 0:
            pass

    def resume(self):
        return [*self.prompt, *(e.token for e in self.log)], self.remaining

    def is_trained(self, entry, version):
        if entry.version is None:
            return False
        match self.policy:
            case "mask_old":
                return entry.version == version
            case "drop":
                versions = [e.version for e in self.own]
                return max(versions) - min(versions) <= self.max_span
        return True

    def finalize(self, version):
        runs = groupby(enumerate(self.log), key=lambda pair: pair[1].version)
        places = [(v, [i for i, _ in run]) for v, run in runs]
        lags = [version - e.version for e in self.own] or [0]
        return dict(
            tokens=[e.token for e in self.log],
            logps=[e.logp for e in self.log],
            versions=[-1 if e.version is None else e.version for e in self.log],
            loss_mask=[self.is_trained(e, version) for e in self.log],
            spans=[(v, run[0], run[-1] + 1) for v, run in places if v is not None],
            staleness={"head": lags[0], "tail": lags[-1], "mean": fmean(lags)},
        )


def partial_rollout_bookkeeping(prompt, max_new_tokens, eos_id, policy="train_all", max_span=None):
    return Rollout(prompt, max_new_tokens, eos_id, policy, max_span)
