"""Expand the shorthand that engineers type, so that a phrasing needs only the full word."""

from __future__ import annotations

import re

# Only abbreviations with a single meaning in this field; "resp", "pos" and "bs" have two meanings and are not expanded.
_WORDS = {
    "adv": "advantage",
    "advs": "advantages",
    "approx": "approximately",
    "avg": "average",
    "avgs": "averages",
    "bc": "because",
    "bwd": "backward",
    "ckpt": "checkpoint",
    "coef": "coefficient",
    "coeff": "coefficient",
    "cuz": "because",
    "fwd": "forward",
    "grad": "gradient",
    "grads": "gradients",
    "len": "length",
    "mem": "memory",
    "mu": "mean",
    "μ": "mean",
    "neg": "negative",
    "num": "number",
    "opt": "optimizer",
    "optim": "optimizer",
    "params": "parameters",
    "perf": "performance",
    "req": "request",
    "reqs": "requests",
    "sched": "scheduler",
    "seq": "sequence",
    "seqs": "sequences",
    "sigma": "std",
    "σ": "std",
    "stddev": "std",
    "thru": "through",
    "tok": "token",
    "toks": "tokens",
    "val": "value",
    "vals": "values",
    "var": "variance",
    "wrt": "with respect to",
}
_WITHOUT_APOSTROPHE = """
    ain aren can couldn didn doesn don hadn hasn haven isn shouldn wasn weren won wouldn
"""
_WORDS |= {f"{start}t": f"{start}'t" for start in _WITHOUT_APOSTROPHE.split()}
_SLASHED = {"w/o": "without", "b/c": "because"}
_TYPED_SHORT = re.compile(rf"\b(?:w/o\b|w/\s?(?=\w)|b/c\b)|(?<![\w.'])(?:{'|'.join(_WORDS)})(?![\w'])")
_BARE_DECIMAL = re.compile(r"(?<![\w.)])\.(?=\d)")


def expand_shorthand(text: str) -> str:
    """Return the lowercase text with its shorthand expanded, and `.5` as `0.5`."""
    return _BARE_DECIMAL.sub("0.", _TYPED_SHORT.sub(_full, text))


def _full(match: re.Match[str]) -> str:
    typed = match.group()
    return _WORDS.get(typed) or _SLASHED.get(typed) or ("with " if typed.startswith("w/") else typed)
