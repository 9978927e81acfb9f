"""The command line: one module for each command, loaded only when its command is given."""
