# expect: wrong
# mistake: Applies a delta in place before it checks the checksum, so the bytes of a corrupt delta stay in the weights.
import zlib

import torch


def delta_weight_sync(weights, version, updates, kind):
    before = weights.view(torch.uint8)
    buffer = before.clone()
    held = version
    statuses = []

    def status(u):
        nonlocal buffer, held
        if u["kind"] == "full":
            if zlib.crc32(u["data"].numpy().tobytes()) != u["checksum"]:
                return "corrupt"
            buffer = u["data"].clone()
        else:
            if u["version"] == held:
                return "duplicate"
            if u["base"] != held:
                return "wrong_base"
            if u["kind"] == "xor":
                buffer[u["index"]] = buffer[u["index"]] ^ u["data"]
            else:
                buffer[u["index"]] = u["data"]
            if zlib.crc32(buffer.numpy().tobytes()) != u["checksum"]:
                return "corrupt"
        held = u["version"]
        return "applied"

    for u in updates:
        statuses.append(status(u))
    xor = before ^ buffer
    index = torch.nonzero(xor)[:, 0]
    delta = dict(kind=kind, base=version, version=held, checksum=zlib.crc32(buffer.numpy().tobytes()), index=index,
                 data=xor[index] if kind == "xor" else buffer[index])
    return buffer.view(weights.dtype), held, statuses, delta
