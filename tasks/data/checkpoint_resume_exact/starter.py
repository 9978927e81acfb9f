class Checkpointer:
    def save(self):
        """Return a checkpoint of the trainer as it is now."""
        raise NotImplementedError

    def load(self, checkpoint):
        """Put the trainer into the state of a checkpoint."""
        raise NotImplementedError


def checkpoint_resume_exact(trainer):
    return Checkpointer()
