"""One module per screen. Only a screen connects its widgets to the session's runner."""
