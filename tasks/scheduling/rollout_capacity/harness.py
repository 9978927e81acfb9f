"""Names cannot cross the sandbox's border, so the bottleneck travels as one truth value for each name."""

NAMES = ("rollout", "trainer", "admission")


def drive(entry, args):
    """Return the estimate with its bottleneck as a dict of truth values."""
    found = entry(**args)
    if found["bottleneck"] not in NAMES:
        raise ValueError(f"bottleneck: expected one of {', '.join(NAMES)}, got {found['bottleneck']!r}")
    return {**found, "bottleneck": {name: found["bottleneck"] == name for name in NAMES}}
