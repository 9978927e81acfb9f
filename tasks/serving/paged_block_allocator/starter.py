class Allocator:
    def allocate(self, seq, tokens) -> int:
        """Return the number of cached tokens, or -1 if there are too few free blocks."""
        raise NotImplementedError

    def append(self, seq, token) -> bool:
        """Return whether there was room for the token."""
        raise NotImplementedError

    def fork(self, seq, new_seq) -> None:
        raise NotImplementedError

    def free(self, seq) -> None:
        raise NotImplementedError

    def blocks(self, seq) -> list[int]:
        raise NotImplementedError

    def free_count(self) -> int:
        raise NotImplementedError


def paged_block_allocator(num_blocks, block_size):
    return Allocator()
