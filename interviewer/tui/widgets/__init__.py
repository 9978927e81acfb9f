"""Small, independent widgets: they draw the data that they are given and post messages about user actions."""
