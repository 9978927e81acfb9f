class Tree:
    def start(self, request, prompt) -> int:
        raise NotImplementedError

    def finish(self, request, output) -> None:
        raise NotImplementedError

    def abort(self, request) -> None:
        raise NotImplementedError

    def prefixes(self) -> list[list[int]]:
        raise NotImplementedError


def prefix_radix_tree(page_size, capacity):
    return Tree()
