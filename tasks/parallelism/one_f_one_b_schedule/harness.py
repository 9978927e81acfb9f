"""Runs the programs of all stages in simulated time, with blocking transfers, and reports what happened."""

import operator

import torch

SECONDS = {"forward": 1, "backward": 2}
# For each transfer: where the other stage is, and the transfer that the other stage runs at the same time.
PARTNERS = {
    "send_activation": (1, "recv_activation"),
    "recv_activation": (-1, "send_activation"),
    "send_gradient": (-1, "recv_gradient"),
    "recv_gradient": (1, "send_gradient"),
}
FAULTS = (
    "all_actions_exist",
    "no_action_repeated",
    "passes_alone_in_step",
    "inputs_available",
    "no_deadlock",
    "all_transfers_made",
)


def drive(entry, args):
    """Return the passes of each stage, the most microbatches in flight, the faults, and the time of the whole step."""
    stages, microbatches = args["stages"], args["microbatches"]
    programs = [[[pair_of(action) for action in step] for step in program] for program in entry(stages, microbatches)]
    passes = torch.zeros(stages, 2 * microbatches, dtype=torch.long)
    peaks = torch.zeros(stages, dtype=torch.long)
    for stage, program in enumerate(programs[:stages]):
        # Forward passes are 1, 2, ..., and backward passes are -1, -2, ...
        order = [1 + k if name == "forward" else -1 - k for step in program for name, k in step if name in SECONDS]
        kept = order[: 2 * microbatches]
        passes[stage, : len(kept)] = torch.tensor(kept, dtype=torch.long)
        peaks[stage] = in_flight(order)
    fault, seconds, done, waits = simulate(programs, stages, microbatches)
    counts = [sum(name in SECONDS for name, _ in actions) for actions in done]
    return {
        "programs": len(programs),
        "passes": passes,
        "peak_inflight": peaks,
        **{name: name != fault for name in FAULTS},
        "passes_done": torch.tensor(counts),
        "waiting_for": torch.tensor(waits),
        "makespan": seconds,
    }


def pair_of(action):
    """Return the name and the index of an action; raise if it is not a pair."""
    if not isinstance(action, tuple | list) or len(action) != 2:
        raise TypeError(f"a step must be a list of actions such as ('forward', 0), but it contains {action!r}")
    return action[0], operator.index(action[1])


def in_flight(order):
    """Return the largest number of forward passes whose backward pass has not run."""
    alive = peak = 0
    for number in order:
        alive += 1 if number > 0 else -1
        peak = max(peak, alive)
    return peak


def simulate(programs, stages, microbatches):
    """Return the first fault ("" if there is none), the time of the step, each stage's actions, and what it waits for.

    The time is -1 if the step failed. What a stage waits for is 0 (nothing) or the number of a transfer, from 1.
    """
    done, waits = [set() for _ in range(stages)], [0] * stages
    fault = "no_deadlock" if len(programs) != stages else fault_of_form(programs, stages, microbatches)
    if fault:
        return fault, -1, done, waits
    place, clock, started = [0] * stages, [0] * stages, {}
    is_moving = True
    while is_moving:
        is_moving = False
        for stage, program in enumerate(programs):
            while place[stage] < len(program):
                step = program[place[stage]]
                if not all(done[stage].issuperset(inputs(action, stage, stages)) for action in step):
                    return "inputs_available", -1, done, [0] * stages
                for action in step:
                    started.setdefault((stage, *action), clock[stage])
                partners = [(n, (stage + PARTNERS[n][0], PARTNERS[n][1], k)) for n, k in step if n in PARTNERS]
                missing = [name for name, partner in partners if partner not in started]
                waits[stage] = list(PARTNERS).index(missing[0]) + 1 if missing else 0
                if missing:
                    break
                clock[stage] = max([clock[stage], *(started[partner] for _, partner in partners)])
                clock[stage] += sum(SECONDS.get(name, 0) for name, _ in step)
                done[stage].update(step)
                place[stage] += 1
                is_moving = True
    if any(waits):
        return "no_deadlock", -1, done, waits
    for stage in range(stages):
        for name, (offset, _) in PARTNERS.items():
            if 0 <= stage + offset < stages and any((name, k) not in done[stage] for k in range(microbatches)):
                return "all_transfers_made", -1, done, waits
    return "", max(clock), done, waits


def fault_of_form(programs, stages, microbatches):
    """Return the first fault that shows without running the programs."""
    for stage, program in enumerate(programs):
        seen = set()
        for step in program:
            for name, k in step:
                is_known = name in SECONDS or name in PARTNERS
                partner = stage + (PARTNERS[name][0] if name in PARTNERS else 0)
                if not (is_known and 0 <= partner < stages and 0 <= k < microbatches):
                    return "all_actions_exist"
                if (name, k) in seen:
                    return "no_action_repeated"
                seen.add((name, k))
            if len(step) > 1 and any(name in SECONDS for name, _ in step):
                return "passes_alone_in_step"
    return ""


def inputs(action, stage, stages):
    """Return the actions that the stage must have finished before this one."""
    name, k = action
    needs = {
        "forward": [("recv_activation", k)] if stage > 0 else [],
        "send_activation": [("forward", k)],
        "backward": [("forward", k), *([("recv_gradient", k)] if stage < stages - 1 else [])],
        "send_gradient": [("backward", k)],
    }
    return needs.get(name, [])
