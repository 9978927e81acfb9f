import zlib

import torch


def delta_weight_sync(weights, version, updates, kind):
    """Holds the weights as a Python bytearray."""
    raw = bytes(weights.view(torch.uint8).tolist())
    current = bytearray(raw)
    v = version
    statuses = []
    for u in updates:
        if u["kind"] == "full":
            candidate = bytearray(u["data"].tolist())
        else:
            if u["version"] == v:
                statuses.append("duplicate")
                continue
            if u["base"] != v:
                statuses.append("wrong_base")
                continue
            candidate = bytearray(current)
            for position, byte in zip(u["index"].tolist(), u["data"].tolist(), strict=True):
                candidate[position] = candidate[position] ^ byte if u["kind"] == "xor" else byte
        if zlib.crc32(candidate) == u["checksum"]:
            current, v = candidate, u["version"]
            statuses.append("applied")
        else:
            statuses.append("corrupt")
    places = [i for i in range(len(raw)) if raw[i] != current[i]]
    payload = [raw[i] ^ current[i] if kind == "xor" else current[i] for i in places]
    delta = {
        "kind": kind,
        "base": version,
        "version": v,
        "checksum": zlib.crc32(current),
        "index": torch.tensor(places, dtype=torch.int64),
        "data": torch.tensor(payload, dtype=torch.uint8),
    }
    return torch.tensor(list(current), dtype=torch.uint8).view(weights.dtype), v, statuses, delta
