"""Names the environments so that a set lists them in one order on all ranks or, if `collides`, in order of arrival.

The ranks share a hash seed here; in a real job each has its own, and a set's order differs without more ado.
"""

HASH_BITS = 13  # a set of three names that agree in these bits lists them by their arrival
TABLE_BITS = 3


def named(names, collides):
    """Return for each environment the name that the submission sees."""
    shown = {}
    for place, name in enumerate(sorted(names)):
        bits, wanted = (HASH_BITS, 0) if collides else (TABLE_BITS, place)
        number = 0
        while hash(f"{name}-{number}") % 2**bits != wanted:
            number += 1
        shown[name] = f"{name}-{number}"
    return shown


def drive(entry, args):
    """Return the table under the case's own names."""
    shown = named(args["names"], args["collides"])
    finished = [(shown[name], value) for name, value in args["finished"]]
    given = list(finished)
    told = entry(finished)
    if finished != given:
        args["finished"].clear()  # the case's own list shows that the submission has changed its input
    own = {shown[name]: name for name in shown}
    means = {own.get(name, name): mean for name, mean in told["means"].items()}
    return {"means": means, "episodes": told["episodes"]}
