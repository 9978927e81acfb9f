import zlib

import torch


def crc(number, size):
    return zlib.crc32(number.to_bytes(size, "little"))


def number_of(places, values):
    """Return the integer that has these bytes at these places, little endian."""
    return sum(value << (8 * place) for place, value in zip(places, values, strict=True))


def delta_weight_sync(weights, version, updates, kind):
    """Treats all bytes as one large integer, so that an XOR is a single operation."""
    size = weights.numel() * weights.element_size()
    start = number_of(range(size), weights.view(torch.uint8).tolist())
    now, at, statuses = start, version, []
    for update in updates:
        values = update["data"].tolist()
        places = range(size) if update["kind"] == "full" else update["index"].tolist()
        patch = number_of(places, values)
        if update["kind"] == "full":
            after = patch
        elif at == update["version"] or at != update["base"]:
            statuses.append("duplicate" if at == update["version"] else "wrong_base")
            continue
        elif update["kind"] == "xor":
            after = now ^ patch
        else:
            after = (now & ~number_of(places, [255] * len(values))) | patch
        is_right = crc(after, size) == update["checksum"]
        statuses.append("applied" if is_right else "corrupt")
        if is_right:
            now, at = after, update["version"]
    old, new = start.to_bytes(size, "little"), now.to_bytes(size, "little")
    changed = {i: (a ^ b if kind == "xor" else b) for i, (a, b) in enumerate(zip(old, new, strict=True)) if a != b}
    delta = {"kind": kind, "base": version, "version": at, "checksum": crc(now, size)}
    delta["index"] = torch.tensor(list(changed), dtype=torch.int64)
    delta["data"] = torch.tensor(list(changed.values()), dtype=torch.uint8)
    return torch.frombuffer(bytearray(new), dtype=weights.dtype), at, statuses, delta
