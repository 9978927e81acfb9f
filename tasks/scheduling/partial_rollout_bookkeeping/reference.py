"""Each token is recorded once, with the version that generated it; everything else is derived from this record."""

TOOL = -1


class Rollout:
    def __init__(self, prompt, max_new_tokens, eos_id, policy, max_span):
        self.prompt, self.eos_id, self.policy, self.max_span = prompt, eos_id, policy, max_span
        self.remaining = max_new_tokens
        self.tokens, self.logps, self.versions = [], [], []

    def append(self, tokens, logps, version):
        for token, logp in zip(tokens, logps, strict=True):
            if self.remaining:
                self._write(token, logp, version)
                # The budget is for the whole answer: with a new budget for each piece, the answer might never end.
                self.remaining = 0 if token == self.eos_id else self.remaining - 1

    def append_tool(self, tokens):
        if self.remaining:
            for token in tokens:
                self._write(token, 0.0, TOOL)

    def _write(self, token, logp, version):
        self.tokens.append(token)
        self.logps.append(logp)
        self.versions.append(version)

    def resume(self):
        return self.prompt + self.tokens, self.remaining

    def finalize(self, version):
        generated = [one for one in self.versions if one != TOOL]
        lags = [version - one for one in generated]
        staleness = {"head": 0.0, "tail": 0.0, "mean": 0.0}
        if lags:
            staleness = {"head": float(lags[0]), "tail": float(lags[-1]), "mean": sum(lags) / len(lags)}
        trained = set(generated)
        if self.policy == "mask_old":
            trained &= {version}
        elif self.policy == "drop" and generated and generated[-1] - generated[0] > self.max_span:
            trained = set()
        return {
            "tokens": list(self.tokens),
            "logps": list(self.logps),
            "versions": list(self.versions),
            "loss_mask": [one in trained for one in self.versions],
            "spans": self._spans(),
            "staleness": staleness,
        }

    def _spans(self):
        spans = []
        for place, version in enumerate(self.versions):
            if version == TOOL:
                continue
            if spans and spans[-1][0] == version and spans[-1][2] == place:
                spans[-1] = (version, spans[-1][1], place + 1)
            else:
                spans.append((version, place, place + 1))
        return spans


def partial_rollout_bookkeeping(prompt, max_new_tokens, eos_id, policy="train_all", max_span=None):
    """Return the record of one answer that is generated in pieces by several versions of the weights.

    Source: arXiv:2505.24298, section 4.1.
    """
    return Rollout(prompt, max_new_tokens, eos_id, policy, max_span)
