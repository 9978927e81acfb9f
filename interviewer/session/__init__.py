"""The pure heart: state, events and the step between them; time and chance come in as arguments."""
