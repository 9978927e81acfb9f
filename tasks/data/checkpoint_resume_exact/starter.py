class Checkpointer:
    def save(self):
        """Return a checkpoint of the trainer's current state."""
        raise NotImplementedError

    def load(self, checkpoint):
        """Restore the trainer's state from a checkpoint."""
        raise NotImplementedError


def checkpoint_resume_exact(trainer):
    return Checkpointer()
