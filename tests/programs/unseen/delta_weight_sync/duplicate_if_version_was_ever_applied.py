# expect: wrong
# mistake: Reports every delta whose version was ever held as a duplicate, instead of only a delta whose version is the one held now, so old repeats are not wrong_base and a chain replayed after an older snapshot is refused.
import zlib

import torch


def delta_weight_sync(weights, version, updates, kind):
    old = weights.view(torch.uint8)
    state = old.clone()
    current = version
    seen = {version}
    statuses = []
    for update in updates:
        full = update["kind"] == "full"
        if not full and update["version"] in seen:
            statuses.append("duplicate")
            continue
        if not full and update["base"] != current:
            statuses.append("wrong_base")
            continue
        candidate = state.clone()
        if full:
            candidate.copy_(update["data"])
        elif update["kind"] == "xor":
            candidate[update["index"]] ^= update["data"]
        else:
            candidate[update["index"]] = update["data"]
        if zlib.crc32(candidate.numpy()) != update["checksum"]:
            statuses.append("corrupt")
            continue
        state = candidate
        current = update["version"]
        seen.add(current)
        statuses.append("applied")
    index = (old != state).nonzero().squeeze(1)
    data = state[index]
    if kind == "xor":
        data = data ^ old[index]
    delta = {
        "kind": kind, "base": version, "version": current,
        "checksum": zlib.crc32(state.numpy()), "index": index, "data": data,
    }
    return state.view(weights.dtype), current, statuses, delta
