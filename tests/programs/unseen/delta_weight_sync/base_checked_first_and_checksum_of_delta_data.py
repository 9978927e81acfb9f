# expect: wrong
# mistake: Two mistakes: it checks the base before the version, so a repeated delta is wrong_base instead of duplicate, and the checksum of the returned delta covers only the delta's data instead of all bytes of the weights.
import zlib

import numpy as np
import torch


def delta_weight_sync(weights, version, updates, kind):
    start = weights.view(torch.uint8).numpy()
    held = start.copy()
    held_version = version
    statuses = []
    for u in updates:
        data = u["data"].numpy()
        if u["kind"] == "full":
            new = data.copy()
        else:
            if u["base"] != held_version:
                statuses.append("wrong_base")
                continue
            if u["version"] == held_version:
                statuses.append("duplicate")
                continue
            new = held.copy()
            idx = u["index"].numpy()
            new[idx] = data if u["kind"] == "overwrite" else new[idx] ^ data
        if zlib.crc32(new.tobytes()) != u["checksum"]:
            statuses.append("corrupt")
            continue
        held, held_version = new, u["version"]
        statuses.append("applied")
    index = np.flatnonzero(start != held)
    data = held[index] if kind == "overwrite" else start[index] ^ held[index]
    delta = {
        "kind": kind,
        "base": version,
        "version": held_version,
        "checksum": zlib.crc32(data.tobytes()),
        "index": torch.from_numpy(index),
        "data": torch.from_numpy(data),
    }
    return torch.from_numpy(held).view(weights.dtype), held_version, statuses, delta
