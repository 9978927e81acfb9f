"""Starts a child on each rank and waits for it.

task = "seeded_ring"
uses = ["right"]
needs = ["rights", "shared", "processes"]
"""
import os


def total(x):
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return right(x)
