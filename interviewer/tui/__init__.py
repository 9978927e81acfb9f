"""The terminal app: draws the session and passes user actions to its runner; contains no session logic."""
