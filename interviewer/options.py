"""Options that several commands share."""

from __future__ import annotations

import click

from interviewer.offered import DEVICES, SANDBOXES

AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
DEVICE = click.option("--device", type=click.Choice(DEVICES), default="cpu", show_default=True)
SANDBOX = click.option("--sandbox", type=click.Choice(SANDBOXES), help="docker, or process for trusted code only.")
