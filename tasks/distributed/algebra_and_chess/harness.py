"""Names the environments so that a set lists them in one order on all ranks that share a hash seed.

A set lists names whose hashes collide in the order in which they were added, and the shared seed is new in each run.
"""

TABLE_BITS = 3


def named(names):
    """Return for each of these environments the name that the submission sees."""
    shown = {}
    for place, name in enumerate(names):
        number = 0
        while hash(f"{name}-{number}") % 2**TABLE_BITS != place:
            number += 1
        shown[name] = f"{name}-{number}"
    return shown


def drive(entry, args):
    """Return the table under the case's own names."""
    shown = named(args["renamed"])
    finished = [(shown.get(name, name), value) for name, value in args["finished"]]
    given = list(finished)
    told = entry(finished)
    if finished != given:
        args["finished"].clear()  # the case's own list shows that the submission has changed its input
    own = {shown[name]: name for name in shown}
    means = {own.get(name, name): mean for name, mean in told["means"].items()}
    return {"means": means, "episodes": told["episodes"]}
