"""Small widgets that know nothing of each other: they draw what they are given and post what was done."""
