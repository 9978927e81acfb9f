"""The smallest Textual app: the cost of any app of this kind, with which ours is compared."""

from textual.app import App, ComposeResult
from textual.widgets import Static


class BareApp(App[None]):
    """Show one word."""

    def compose(self) -> ComposeResult:
        """Yield it."""
        yield Static("painted")


if __name__ == "__main__":
    BareApp().run()
