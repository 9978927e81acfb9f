"""One module per screen. Only the screen connects its widgets to the session's runner."""
