"""The terminal app: draws the state of a session and tells the driver what was done; it decides nothing."""
