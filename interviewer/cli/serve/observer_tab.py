"""An observer's app as it runs in one tab: it asks for a session's token; a reload watches the same session again."""

from __future__ import annotations

import sys

from interviewer.cli.serve.in_tab import keep, tab_kit
from interviewer.tui.observer_app import ObserverApp
from interviewer.tui.screens.observer import ObserverScreen


class ObserverTab(ObserverApp):
    """Run an observer's app in a tab; `kept` is the token and the name of the observer, "" for none."""

    # Textual looks beside the file of the class that is run.
    CSS_PATH = "../../tui/app.tcss"
    kept = ""

    def on_ready(self) -> None:
        """Watch again what was watched, or ask; the rest is the base class's, called by Textual."""
        token, _, who = self.kept.partition(" ")
        if token:
            self.join_session(token, who)
        else:
            self.ask_token()

    def on_observer_screen_admitted(self, message: ObserverScreen.Admitted) -> None:
        """Keep what a reload opens again."""
        keep(self, f"{message.token.strip()} {message.who}")

    def leave_session(self) -> None:
        """Ask for another session: a tab without an app would be a dead page."""
        keep(self, "")
        self.ask_token()


def main(kept: str) -> None:
    """Run the app until its tab is closed."""
    with tab_kit() as kit:
        app = ObserverTab(kit)
        app.kept = kept
        app.run()


if __name__ == "__main__":
    main(sys.argv[1])
