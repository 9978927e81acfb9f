import torch


def reshard(shards, spec, tp_dst):
    """Rebuild each tensor whole, line by line, and hand the lines out again."""
    whole = {name: rebuilt([shard[name] for shard in shards], rule) for name, rule in spec.items()}
    return [{name: handed_out(whole[name], rule, r, tp_dst) for name, rule in spec.items()} for r in range(tp_dst)]


def lines(tensor, rule):
    return list(tensor.unbind(1 if rule["kind"] == "row" else 0))


def rebuilt(parts, rule):
    """Return named lists of lines."""
    kind, tp = rule["kind"], len(parts)
    if kind == "replicated":
        return {"all": lines(parts[0], rule)}
    if kind == "gate_up":
        gate, up = [], []
        for part in parts:
            rows = lines(part, rule)
            gate += rows[: len(rows) // 2]
            up += rows[len(rows) // 2 :]
        return {"gate": gate, "up": up}
    if kind == "qkv":
        d = rule["head_dim"]
        heads = {"q": {}, "k": {}, "v": {}}
        for r, part in enumerate(parts):
            rows = lines(part, rule)
            for section, (first, count) in held_heads(rule, r, tp).items():
                for head in range(first, first + count):
                    heads[section][head] = rows[:d]
                    rows = rows[d:]
        return {section: [row for head in sorted(found) for row in found[head]] for section, found in heads.items()}
    rows = [row for part in parts for row in lines(part, rule)]
    return {"all": rows[: rule["rows"]] if kind == "vocab" else rows}


def held_heads(rule, r, tp):
    """Return the first head and the number of heads of each section on rank r."""
    each = rule["heads"] // tp
    share = rule["heads"] // rule["kv_heads"]
    first = r * each // share
    last = (r * each + each - 1) // share
    return {"q": (r * each, each), "k": (first, last - first + 1), "v": (first, last - first + 1)}


def handed_out(whole, rule, r, tp):
    kind = rule["kind"]
    if kind == "replicated":
        found = whole["all"]
    elif kind == "qkv":
        d = rule["head_dim"]
        found = []
        for section, (first, count) in held_heads(rule, r, tp).items():
            found += whole[section][first * d : (first + count) * d]
    else:
        found = []
        for section in whole.values():
            rows = section + [torch.zeros_like(section[0])] * (-len(section) % tp)
            each = len(rows) // tp
            found += rows[r * each : (r + 1) * each]
    return torch.stack(found, dim=1 if kind == "row" else 0)
