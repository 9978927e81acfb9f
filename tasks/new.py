"""Writes a new task folder: a tiny valid task under the author's chosen id, to be edited file by file."""

from __future__ import annotations

from pathlib import Path

from tasks.errors import TaskError

TOML = """format = 1
title = "The mean over a mask"
kind = "implement"            # implement | repair (the starter holds the bug) | estimate (returns numbers)
entry = "{slug}"
level = 1                     # 1-5
minutes = 5
devices = ["cpu", "cuda"]
topics = ["masking"]
seeds = []                    # ids from interviewer/bank/seeds.toml that it covers
source = ["arithmetic"]       # paper and equation, page, repository path
returns = ["mean"]            # names of the outputs, in order
starter_verdict = "raised"

[limits]
wall_seconds = 20
memory_mib = 2048

[tolerance.float32]           # 10 to 30 times the reference's own float32 error, which the gate prints
rtol = 3e-6
atol = 3e-6

[[mistake]]
id = "mask_ignored"
wrong = "Averages over all positions and ignores the mask."
caught_by = ["drawn"]         # exactly these cases fail
ask = "Two batches have the same values, one padded to twice the length. How do their means compare in your code?"

[[mistake]]
id = "mask_multiplied"
wrong = "Multiplies by the mask, so a NaN at a masked-out position reaches the mean."
caught_by = ["drawn"]
ask = "What is zero times NaN?"

[[hint]]                      # mildest first; the last may not contain the formula
text = "Which positions count, and how many are there?"
"""
STATEMENT = """# The mean over a mask

```python
def {slug}(x, mask):
    ...
    return mean
```

## Given

- `x` `[T]`, float.
- `mask` `[T]`, bool: true for the values to average; at least one is true.

## Return

The mean of the values where `mask` is true, as a 0-dim tensor with the dtype of `x`. Masked-out values may be NaN; they
must not affect the result or its gradient.

## Example

`x` = [1, 2, 6] with `mask` = [true, true, false] gives 1.5.
"""
HEAD = "import torch\n\n\ndef {slug}(x, mask):\n"
DOCSTRING = '    """Return the mean of x over the mask, 0-dim. Shapes: x [T] float; mask [T] bool."""\n'
STARTER = HEAD + DOCSTRING + "    raise NotImplementedError\n"
REFERENCE = HEAD + DOCSTRING + "    return torch.where(mask, x, 0.0).sum() / mask.sum()\n"
CASES = '''import math

import torch

from tasks.task import Case, Relation

PADDING = Relation(
    name="padding_poisoned",
    says="NaN at masked-out positions changes nothing.",
    change=lambda args: {**args, "x": torch.where(args["mask"], args["x"], math.nan)},
)


def by_hand():
    args = {"x": torch.tensor([1.0, 2.0]), "mask": torch.tensor([True, True])}
    return Case("by_hand", args, grads=("x",), visible=True, expected=1.5)  # by hand, to check the reference


def cases(rng):
    """Yield the same cases for every seed, and draw everything random from `rng`."""
    yield by_hand()
    steps = int(torch.randint(9, 14, (), generator=rng))
    args = {"x": 1 + torch.rand(steps, generator=rng), "mask": torch.arange(steps) % 3 > 0}
    yield Case("drawn", args, grads=("x",), relations=(PADDING,))
'''
MISTAKES = {
    "mask_ignored": HEAD + "    return x.mean()\n",
    "mask_multiplied": HEAD + "    return (x * mask).sum() / mask.sum()\n",
}


def scaffold(folder: Path) -> list[Path]:
    """Write a small valid task into a new folder AREA/SLUG and return its files.

    Raises TaskError if the folder exists or its name is not a snake_case identifier, and OSError if writing fails.
    """
    slug = folder.name
    if not (slug.isidentifier() and slug == slug.lower()):
        raise TaskError(f"{slug!r}: expected a snake_case name, because it becomes the task id and the function name")
    if folder.exists():
        raise TaskError(f"{folder}: already exists; choose a different name")
    files = {"task.toml": TOML, "statement.md": STATEMENT, "starter.py": STARTER, "reference.py": REFERENCE}
    files |= {f"mistakes/{name}.py": program for name, program in MISTAKES.items()}
    (folder / "mistakes").mkdir(parents=True)
    (folder / "cases.py").write_text(CASES, encoding="utf-8")
    for name, text in files.items():
        (folder / name).write_text(text.replace("{slug}", slug), encoding="utf-8")
    return [folder / name for name in (*files, "cases.py")]
