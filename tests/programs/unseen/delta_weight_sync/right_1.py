# expect: right
import zlib

import torch


def delta_weight_sync(weights, version, updates, kind):
    """Return the weights and the version after all updates, the status of each update, and one delta for all."""
    def crc(t):
        return zlib.crc32(t.cpu().numpy().tobytes())

    start = weights.view(torch.uint8)
    held = start.clone()
    held_version = version
    statuses = []
    for u in updates:
        if u["kind"] != "full":
            if u["version"] == held_version:
                statuses.append("duplicate")
                continue
            if u["base"] != held_version:
                statuses.append("wrong_base")
                continue
        if u["kind"] == "full":
            new = u["data"].clone()
        else:
            new = held.clone()
            if u["kind"] == "xor":
                new[u["index"]] = held[u["index"]] ^ u["data"]
            else:
                new[u["index"]] = u["data"]
        if crc(new) != u["checksum"]:
            statuses.append("corrupt")
            continue
        held, held_version = new, u["version"]
        statuses.append("applied")

    index = torch.nonzero(start != held).flatten()
    data = held[index] if kind == "overwrite" else start[index] ^ held[index]
    delta = {
        "kind": kind,
        "base": version,
        "version": held_version,
        "checksum": crc(held),
        "index": index,
        "data": data,
    }
    return held.view(weights.dtype), held_version, statuses, delta
