from itertools import chain, zip_longest


def one_f_one_b_schedule(stages, microbatches):
    """When both neighbors send, even stages send first and odd stages receive first; every step has a single action."""
    programs = []
    for stage in range(stages):
        steps = []
        ahead = stages - stage
        backwards = [("backward", k) for k in range(microbatches)]
        forwards = [("forward", k) for k in range(microbatches)]
        pairs = zip_longest(backwards, forwards[ahead:])
        order = forwards[:ahead] + [one for one in chain.from_iterable(pairs) if one]
        for place, (name, k) in enumerate(order):
            if place == 0:
                if stage > 0:
                    steps.append(("recv_activation", k))
            else:
                last_name, last_k = order[place - 1]
                sends, receives = [], []
                if last_name == "forward" and stage < stages - 1:
                    sends.append(("send_activation", last_k))
                elif last_name == "backward" and stage > 0:
                    sends.append(("send_gradient", last_k))
                if name == "forward" and stage > 0:
                    receives.append(("recv_activation", k))
                elif name == "backward" and stage < stages - 1:
                    receives.append(("recv_gradient", k))
                # Two neighbors exchange data only if there are enough microbatches for both to alternate.
                is_sending_first = stage % 2 == 0 or name == last_name or microbatches < ahead
                steps += sends + receives if is_sending_first else receives + sends
            steps.append((name, k))
        if stage > 0:
            steps.append(("send_gradient", microbatches - 1))
        programs.append([[step] for step in steps])
    return programs
