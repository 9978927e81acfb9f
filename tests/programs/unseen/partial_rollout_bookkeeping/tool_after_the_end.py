# expect: wrong
# mistake: tool output that comes after the end of the answer is still recorded
from itertools import groupby


class Rollout:
    def __init__(self, prompt, max_new_tokens, eos_id, policy, max_span):
        self.prompt = list(prompt)
        self.remaining = max_new_tokens
        self.eos_id = eos_id
        self.policy = policy
        self.max_span = max_span
        self.rows = []

    def append(self, tokens, logps, version) -> None:
        for token, logp in zip(tokens, logps):
            if self.remaining == 0:
                break
            self.rows.append((token, logp, version))
            self.remaining -= 1
            if token == self.eos_id:
                self.remaining = 0

    def append_tool(self, tokens) -> None:
        self.rows += [(token, 0.0, -1) for token in tokens]

    def resume(self) -> tuple[list[int], int]:
        return self.prompt + [row[0] for row in self.rows], self.remaining

    def finalize(self, version) -> dict:
        versions = [row[2] for row in self.rows]
        own = [v for v in versions if v != -1]
        if self.policy == "train_all":
            mask = [v != -1 for v in versions]
        elif self.policy == "mask_old":
            mask = [v != -1 and v == version for v in versions]
        else:
            keep = bool(own) and max(own) - min(own) <= self.max_span
            mask = [keep and v != -1 for v in versions]
        spans, at = [], 0
        for v, run in groupby(versions):
            length = len(list(run))
            if v != -1:
                spans.append((v, at, at + length))
            at += length
        lags = [float(version - v) for v in own] or [0.0]
        return {
            "tokens": [row[0] for row in self.rows],
            "logps": [row[1] for row in self.rows],
            "versions": versions,
            "loss_mask": mask,
            "spans": spans,
            "staleness": {"head": lags[0], "tail": lags[-1], "mean": sum(lags) / len(lags)},
        }


def partial_rollout_bookkeeping(prompt, max_new_tokens, eos_id, policy="train_all", max_span=None):
    return Rollout(prompt, max_new_tokens, eos_id, policy, max_span)
