"""Access to language models through one protocol; nothing outside this package depends on the underlying library."""
