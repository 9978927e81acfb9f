"""Front ends on plain lines: no boxes and no escape codes, for pipes, scripts and screen readers."""
