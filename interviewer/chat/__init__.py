"""The language model behind one protocol; nothing outside this package depends on the underlying library."""
