"""The running session: what every front end drives, and nothing that draws."""
