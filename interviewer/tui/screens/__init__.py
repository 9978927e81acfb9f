"""One module per screen. Only the screen connects its widgets with the driver."""
