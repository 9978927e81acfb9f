"""The terminal app: draws the session and passes user actions to the driver; contains no session logic."""
