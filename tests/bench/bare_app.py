"""The smallest Textual app: its cost is the minimum for any Textual app, and ours is compared with it."""

from textual.app import App, ComposeResult
from textual.widgets import Static


class BareApp(App[None]):
    """Show one word."""

    def compose(self) -> ComposeResult:
        """Yield it."""
        yield Static("painted")


if __name__ == "__main__":
    BareApp().run()
