# expect: wrong
# mistake: Looks for differences only in weights whose values differ as floats, so the byte that differs between 0 and -0 is missing from the delta.
import zlib

import torch


def delta_weight_sync(weights, version, updates, kind):
    def crc(t):
        return zlib.crc32(t.numpy().tobytes())

    start = weights.view(torch.uint8)
    held, now = start.clone(), version
    statuses = []
    for u in updates:
        if u["kind"] != "full" and u["version"] == now:
            statuses.append("duplicate")
        elif u["kind"] != "full" and u["base"] != now:
            statuses.append("wrong_base")
        else:
            if u["kind"] == "full":
                new = u["data"].clone()
            else:
                new = held.clone()
                new[u["index"]] = u["data"] if u["kind"] == "overwrite" else new[u["index"]] ^ u["data"]
            if crc(new) == u["checksum"]:
                held, now = new, u["version"]
                statuses.append("applied")
            else:
                statuses.append("corrupt")
    result = held.view(weights.dtype)
    changed = (result != weights).repeat_interleave(weights.itemsize)
    index = torch.nonzero(changed & (start != held)).flatten()
    data = held[index] if kind == "overwrite" else held[index] ^ start[index]
    delta = {"kind": kind, "base": version, "version": now, "checksum": crc(held), "index": index, "data": data}
    return result, now, statuses, delta
