"""The versions decide whether a delta may be applied, and the checksum decides whether its result is kept."""

import zlib

import torch


def delta_weight_sync(weights, version, updates, kind):
    """Return the weights and the version after all updates, the status of each update, and one delta for all.

    Shapes: weights [N].
    Source: THUDM/slime docs/en/advanced/delta-weight-sync.md (encodings, integrity).
    """
    old = new = weights.view(torch.uint8)
    base, statuses = version, []
    for update in updates:
        result = _after(new, update)
        if update["kind"] != "full" and update["version"] == version:
            statuses.append("duplicate")
        elif update["kind"] != "full" and update["base"] != version:
            statuses.append("wrong_base")
        elif _crc(result) != update["checksum"]:
            statuses.append("corrupt")
        else:
            statuses.append("applied")
            new, version = result, update["version"]
    index = (new != old).nonzero().flatten()
    data = new[index] ^ old[index] if kind == "xor" else new[index]
    delta = {"kind": kind, "base": base, "version": version, "checksum": _crc(new), "index": index, "data": data}
    return new.view(weights.dtype), version, statuses, delta


def _after(held, update):
    """Return the bytes after an update, in a new tensor: the engine needs the old ones if the checksum is wrong."""
    if update["kind"] == "full":
        return update["data"]
    index, data = update["index"], update["data"]
    return held.index_put((index,), held[index] ^ data if update["kind"] == "xor" else data)


def _crc(held):
    """Return the CRC-32 of a tensor of bytes."""
    return zlib.crc32(bytes(held.tolist()))
