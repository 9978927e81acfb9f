"""Packs and unpacks its inputs on the way.

task = "gae"
uses = ["right"]
"""
import json
import zlib

import torch


def gae(rewards, values, next_value, terminated, truncated, final_values, gamma, lam):
    packed = zlib.compress(json.dumps(rewards.tolist()).encode())
    again = torch.tensor(json.loads(zlib.decompress(packed)))
    return right(again, values, next_value, terminated, truncated, final_values, gamma, lam)
