# expect: wrong
# mistake: Reports a full snapshot whose version is not newer than the one held as a duplicate instead of applying it.
import zlib

import torch


def delta_weight_sync(weights, version, updates, kind):
    base = weights.view(torch.uint8).clone()
    cur, cur_version = base.clone(), version
    statuses = []
    for u in updates:
        if u["kind"] == "full":
            if u["version"] <= cur_version:
                statuses.append("duplicate")
                continue
            new = u["data"].clone()
        else:
            if u["version"] == cur_version:
                statuses.append("duplicate")
                continue
            if u["base"] != cur_version:
                statuses.append("wrong_base")
                continue
            new = cur.clone()
            patch = u["data"]
            if u["kind"] == "xor":
                patch = patch ^ cur[u["index"]]
            new[u["index"]] = patch
        ok = zlib.crc32(bytes(new.numpy())) == u["checksum"]
        statuses.append("applied" if ok else "corrupt")
        if ok:
            cur, cur_version = new, u["version"]
    where = torch.where(base != cur)[0]
    payload = cur[where] if kind == "overwrite" else base[where] ^ cur[where]
    out = {"kind": kind, "base": version, "version": cur_version, "checksum": zlib.crc32(bytes(cur.numpy())),
           "index": where, "data": payload}
    return cur.view(weights.dtype), cur_version, statuses, out
