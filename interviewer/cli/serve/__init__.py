"""The app in a browser: a server on loopback, and one process of the app for each tab.

The constants here are what both sides of a tab know; a tab's process imports nothing else of the server.
"""

# Written once by Textual's web driver, before its first packet.
READY = b"__GANGLION__\n"
# A packet with this type says what is open in the tab, "" for nothing: a reload gets it and opens it again.
NOTE_TYPE = "session"
# An environment variable with the server's process id: an app whose server was killed at once sees only init above it.
SERVER_VARIABLE = "INTERVIEWER_SERVER_PID"
