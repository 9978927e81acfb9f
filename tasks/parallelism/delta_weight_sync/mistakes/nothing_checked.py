import zlib

import torch


def crc(data):
    return zlib.crc32(bytes(data.tolist()))


def changed(held, update):
    if update["kind"] == "full":
        return update["data"].clone()
    new, index = held.clone(), update["index"]
    if update["kind"] == "xor":
        new[index] = new[index] ^ update["data"]
    else:
        new[index] = update["data"]
    return new


def delta_weight_sync(weights, version, updates, kind):
    before = weights.view(torch.uint8)
    held = before.clone()
    base = version
    statuses = []
    for update in updates:
        is_delta = update["kind"] != "full"
        new = changed(held, update)
        held = new
        version = update["version"]
        statuses.append("applied")
    index = (held != before).nonzero().flatten()
    data = held[index] ^ before[index] if kind == "xor" else held[index]
    delta = {"kind": kind, "base": base, "version": version, "checksum": crc(held), "index": index, "data": data}
    return held.view(weights.dtype), version, statuses, delta
