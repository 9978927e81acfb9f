"""The session core: state, events, and the pure step function. Time and random seeds are passed in as arguments."""
