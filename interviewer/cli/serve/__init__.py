"""The app in a browser of this machine: loopback only, behind a token, one app process for each tab."""
