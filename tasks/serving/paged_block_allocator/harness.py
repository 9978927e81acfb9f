"""Drives an allocator through a list of calls and keeps what each returned and what it left behind."""

import torch


def drive(entry, args):
    """Return for each call its result, the blocks of its sequence (-1 where there are none) and the free count."""
    allocator = entry(args["num_blocks"], args["block_size"])
    alive = set()
    results, tables, free = [], [], []
    for name, seq, *rest in args["calls"]:
        result = None
        # A sequence that found no place does not exist, so calls for it are left out.
        is_new = name in {"allocate", "fork"}
        target = rest[0] if name == "fork" else seq
        if (seq in alive) == (name != "allocate") and (not is_new or target not in alive):
            result = getattr(allocator, name)(seq, *rest)
            if is_new and result != -1:
                alive.add(target)
            elif name == "free":
                alive.remove(seq)
        blocks = list(allocator.blocks(target)) if target in alive else []
        results.append(-2 if result is None else int(result))
        tables.append((blocks + [-1] * args["num_blocks"])[: args["num_blocks"]])
        free.append(allocator.free_count())
    return {"results": torch.tensor(results), "tables": torch.tensor(tables), "free": torch.tensor(free)}
