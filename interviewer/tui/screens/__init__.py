"""One screen a file; a screen is the only switchboard between its widgets and the driver."""
