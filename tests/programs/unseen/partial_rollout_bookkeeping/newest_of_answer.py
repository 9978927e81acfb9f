# expect: wrong
# mistake: "mask_old" keeps the tokens of the newest version in the answer, not those of the version given to finalize
class Rollout:
    def __init__(self, prompt, max_new_tokens, eos_id, policy, max_span):
        self.prompt = list(prompt)
        self.max_new_tokens = max_new_tokens
        self.eos_id = eos_id
        self.policy = policy
        self.max_span = max_span
        self.items = []  # dicts with token, logp, version, tool

    def _generated(self):
        return [item for item in self.items if not item["tool"]]

    def _finished(self):
        generated = self._generated()
        if len(generated) >= self.max_new_tokens:
            return True
        return bool(generated) and generated[-1]["token"] == self.eos_id

    def append(self, tokens, logps, version) -> None:
        for token, logp in zip(tokens, logps):
            if self._finished():
                return
            self.items.append({"token": token, "logp": logp, "version": version, "tool": False})

    def append_tool(self, tokens) -> None:
        if self._finished():
            return
        for token in tokens:
            self.items.append({"token": token, "logp": 0.0, "version": -1, "tool": True})

    def resume(self) -> tuple[list[int], int]:
        sent = self.prompt + [item["token"] for item in self.items]
        if self._finished():
            return sent, 0
        return sent, self.max_new_tokens - len(self._generated())

    def _loss_mask(self):
        versions = [item["version"] for item in self._generated()]
        mask = [not item["tool"] for item in self.items]
        if not versions:
            return mask
        newest, oldest = max(versions), min(versions)
        if self.policy == "mask_old":
            return [keep and item["version"] == newest for keep, item in zip(mask, self.items)]
        if self.policy == "drop" and newest - oldest > self.max_span:
            return [False for _ in mask]
        return mask

    def finalize(self, version) -> dict:
        spans = []
        for place, item in enumerate(self.items):
            if item["tool"]:
                continue
            if spans and spans[-1][2] == place and spans[-1][0] == item["version"]:
                spans[-1] = (item["version"], spans[-1][1], place + 1)
            else:
                spans.append((item["version"], place, place + 1))
        ages = [version - item["version"] for item in self._generated()]
        if not ages:
            ages = [0]
        return {
            "tokens": [item["token"] for item in self.items],
            "logps": [item["logp"] for item in self.items],
            "versions": [item["version"] for item in self.items],
            "loss_mask": self._loss_mask(),
            "spans": spans,
            "staleness": {"head": float(ages[0]), "tail": float(ages[-1]), "mean": sum(ages) / len(ages)},
        }


def partial_rollout_bookkeeping(prompt, max_new_tokens, eos_id, policy="train_all", max_span=None):
    return Rollout(prompt, max_new_tokens, eos_id, policy, max_span)
