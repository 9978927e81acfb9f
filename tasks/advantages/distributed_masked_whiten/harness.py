"""Process groups cannot cross the sandbox's border, so each rank makes them from the sizes of the mesh."""

import torch
import torch.distributed as dist

# Making a group takes longer than a run, so the groups are kept for the runs that follow.
_groups = {}


def groups_of(mesh):
    """Return this rank's groups along the mesh dimensions "dp" and "cp"; the last coordinate changes fastest."""
    key = tuple(mesh.items())
    if key not in _groups:
        ranks = torch.arange(dist.get_world_size()).reshape(*mesh.values())
        lines = {name: ranks.movedim(place, -1).reshape(-1, mesh[name]) for place, name in enumerate(mesh)}
        made = [dist.new_subgroups_by_enumeration(lines[name].tolist())[0] for name in ("dp", "cp")]
        _groups[key] = made
    return _groups[key]


def drive(entry, args):
    """Return this rank's whitened values."""
    dp_group, cp_group = groups_of(args["mesh"])
    more = {name: args[name] for name in ("eps", "unbiased") if name in args}
    return entry(args["x"], args["mask"], dp_group, cp_group, **more)
