# expect: right
import zlib

import numpy as np
import torch


class Engine:
    def __init__(self, raw, version):
        self.raw = raw
        self.version = version

    def candidate(self, update):
        """The bytes after the update, or None if the update is malformed."""
        data = update["data"].cpu().numpy()
        if update["kind"] == "full":
            return data.copy() if data.size == self.raw.size else None
        index = update["index"].cpu().numpy()
        if index.size != data.size:
            return None
        if index.size and (index.min() < 0 or index.max() >= self.raw.size):
            return None
        out = self.raw.copy()
        if update["kind"] == "overwrite":
            out[index] = data
        else:
            out[index] ^= data
        return out

    def receive(self, update):
        if "base" in update:
            if update["version"] == self.version:
                return "duplicate"
            if update["base"] != self.version:
                return "wrong_base"
        out = self.candidate(update)
        if out is None or zlib.crc32(out.tobytes()) != update["checksum"]:
            return "corrupt"
        self.raw, self.version = out, update["version"]
        return "applied"


def delta_weight_sync(weights, version, updates, kind):
    """Return the weights and the version after all updates, the status of each update, and one delta for all."""
    old = weights.detach().cpu().contiguous().view(torch.uint8).numpy().copy()
    engine = Engine(old.copy(), version)
    statuses = [engine.receive(update) for update in updates]

    difference = old ^ engine.raw
    index = np.flatnonzero(difference).astype(np.int64)
    payload = difference if kind == "xor" else engine.raw
    delta = {
        "kind": kind,
        "base": version,
        "version": engine.version,
        "checksum": zlib.crc32(engine.raw.tobytes()),
        "index": torch.from_numpy(index),
        "data": torch.from_numpy(payload[index]),
    }
    new = torch.from_numpy(engine.raw.copy()).view(weights.dtype).to(weights.device)
    return new, engine.version, statuses, delta
