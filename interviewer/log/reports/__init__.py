"""Reports and exports made from the practice log, one module each."""
