"""The app in a browser: a server on loopback, and an app process for each tab.

The server and the tab processes share these constants; a tab process imports no other part of the server.
"""

# Textual's web driver writes these bytes once, before its first packet.
READY = b"__GANGLION__\n"
# A packet of this type tells the server which session is open in the tab ("" if none); a reload opens the same session.
NOTE_TYPE = "session"
# Environment variable with the server's process id. An app exits as soon as its parent has a different id, so it exits
# even if the server was killed while the app was starting.
SERVER_VARIABLE = "INTERVIEWER_SERVER_PID"
