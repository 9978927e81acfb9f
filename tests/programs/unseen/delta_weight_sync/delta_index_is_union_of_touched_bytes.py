# expect: wrong
# mistake: The index of the returned delta lists every byte that any applied update changed, including bytes that end up with the value that they had at first.
import zlib

import torch


def delta_weight_sync(weights, version, updates, kind):
    first = weights.view(torch.uint8)
    current = first.clone()
    touched = torch.zeros(first.numel(), dtype=torch.bool)
    v = version
    statuses = []
    for u in updates:
        is_delta = u["kind"] != "full"
        if is_delta and u["version"] == v:
            statuses.append("duplicate")
            continue
        if is_delta and u["base"] != v:
            statuses.append("wrong_base")
            continue
        new = current.clone()
        if not is_delta:
            new[:] = u["data"]
        elif u["kind"] == "overwrite":
            new[u["index"]] = u["data"]
        else:
            new[u["index"]] ^= u["data"]
        if zlib.crc32(new.numpy().tobytes()) != u["checksum"]:
            statuses.append("corrupt")
            continue
        touched |= new != current
        current, v = new, u["version"]
        statuses.append("applied")
    index = touched.nonzero().flatten()
    if kind == "xor":
        data = first[index] ^ current[index]
    else:
        data = current[index]
    delta = {"kind": kind, "base": version, "version": v}
    delta["checksum"] = zlib.crc32(current.numpy().tobytes())
    delta["index"], delta["data"] = index, data
    return current.view(weights.dtype), v, statuses, delta
