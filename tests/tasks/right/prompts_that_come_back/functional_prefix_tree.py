"""A toy rollout engine with a prefix cache and weight updates; start it with `python engine.py`."""

import logging

import torch


class Node:
    """The state after a prefix, and the nodes of the prefixes that are one token longer."""

    def __init__(self, state):
        self.state = state
        self.children = {}


def serve(weights, events):
    """Return the log-probabilities of all steps, and how many states each request computed."""
    current = weights
    root = Node(torch.zeros_like(weights["mix"][0]))
    places = []  # of each request, its node in the tree that was current when it started
    states = []
    computed = []
    logprobs = []

    def advance(number, token):
        state = torch.tanh(states[number] @ current["mix"] + current["embed"][token])
        states[number] = state
        computed[number] += 1
        places[number] = places[number].children.setdefault(token, Node(state))

    for name, *rest in events:
        if name == "start":
            node, reused = root, 0
            for token in rest[0]:
                if token not in node.children:
                    break
                node = node.children[token]
                reused += 1
            places.append(node)
            states.append(node.state)
            computed.append(0)
            for token in rest[0][reused:]:
                advance(len(places) - 1, token)
        elif name == "step":
            number, token = rest
            logprobs.append(torch.log_softmax(states[number] @ current["head"], dim=-1)[token])
            advance(number, token)
        elif name == "update":
            # Running requests keep their nodes in the old tree, where no later request looks.
            current = rest[0]
            root = Node(torch.zeros_like(root.state))
    return torch.stack(logprobs), torch.tensor(computed)


def random_weights(rng, vocabulary=6, size=4):
    return {
        "embed": torch.randn(vocabulary, size, generator=rng),
        "mix": torch.randn(size, size, generator=rng) / 2,
        "head": torch.randn(size, vocabulary, generator=rng),
    }


def main():
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    rng = torch.Generator().manual_seed(0)
    old, new = random_weights(rng), random_weights(rng)
    request = [("start", [1, 2, 3]), ("step", 0, 4), ("finish", 0)]
    again = [("start", [1, 2, 3]), ("step", 1, 4), ("finish", 1)]
    after_update, _ = serve(old, [*request, ("update", new), *again])
    restarted, _ = serve(new, request)
    logging.info("after the update: log-probability %.3f", after_update[1])
    logging.info("after a restart of the engine: log-probability %.3f", restarted[0])


if __name__ == "__main__":
    main()
