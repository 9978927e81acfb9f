"""Serve the app to browsers on this machine: loopback only, behind a token, one app process for each tab."""
