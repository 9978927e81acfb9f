# expect: right
from itertools import groupby
from statistics import fmean
from typing import NamedTuple, Optional


class Entry(NamedTuple):
    token: int
    logp: float
    version: Optional[int]  # None for tool output


class Rollout:
    def __init__(self, prompt, max_new_tokens, eos_id, policy, max_span):
        self._prompt = tuple(prompt)
        self._limit = max_new_tokens
        self._eos = eos_id
        self._policy = policy
        self._max_span = max_span
        self._entries = []

    @property
    def _own(self):
        return [e for e in self._entries if e.version is not None]

    @property
    def _remaining(self):
        own = self._own
        if own and own[-1].token == self._eos:
            return 0
        return max(self._limit - len(own), 0)

    def append(self, tokens, logps, version) -> None:
        room = self._remaining
        piece = list(tokens)[:room]
        if self._eos in piece:
            piece = piece[: piece.index(self._eos) + 1]
        self._entries.extend(Entry(t, lp, version) for t, lp in zip(piece, logps))

    def append_tool(self, tokens) -> None:
        if self._remaining:
            self._entries.extend(Entry(t, 0.0, None) for t in tokens)

    def resume(self) -> tuple[list[int], int]:
        return [*self._prompt, *(e.token for e in self._entries)], self._remaining

    def _trained(self, version):
        versions = [e.version for e in self._own]
        if self._policy == "train_all":
            return set(versions)
        if self._policy == "mask_old":
            return {version}
        if versions and max(versions) - min(versions) > self._max_span:
            return set()
        return set(versions)

    def finalize(self, version) -> dict:
        trained = self._trained(version)
        spans = []
        for v, run in groupby(enumerate(self._entries), key=lambda pair: pair[1].version):
            places = [place for place, _ in run]
            if v is not None:
                spans.append((v, places[0], places[-1] + 1))
        lags = [float(version - e.version) for e in self._own] or [0.0]
        return {
            "tokens": [e.token for e in self._entries],
            "logps": [e.logp for e in self._entries],
            "versions": [-1 if e.version is None else e.version for e in self._entries],
            "loss_mask": [e.version is not None and e.version in trained for e in self._entries],
            "spans": spans,
            "staleness": {"head": lags[0], "tail": lags[-1], "mean": fmean(lags)},
        }


def partial_rollout_bookkeeping(prompt, max_new_tokens, eos_id, policy="train_all", max_span=None):
    return Rollout(prompt, max_new_tokens, eos_id, policy, max_span)
