"""One module for each report and export made from the practice log."""
