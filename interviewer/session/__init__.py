"""The pure session: state, events and the step between them. Time and random seeds are arguments."""
