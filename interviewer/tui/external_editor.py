"""Edit text in the user's own editor. The temporary file exists only while the editor runs.

ExternalEditorError         the editor could not be started or left no readable text; the text is unchanged
"""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

from interviewer.errors import InterviewerError
from interviewer.tui.text_format import printable


class ExternalEditorError(InterviewerError):
    """The external editor could not be used; the error message gives the reason."""


def open_external_editor(app: App[Any], text: str, suffix: str, environ: Mapping[str, str] = os.environ) -> str:
    """Open the user's editor and return the edited text. Raises ExternalEditorError if the editor could not be used."""
    command = environ.get("VISUAL") or environ.get("EDITOR") or "vi"
    set_it = "Set VISUAL or EDITOR to a command that returns when you close the file, such as 'code --wait'."
    with tempfile.TemporaryDirectory(prefix="interviewer-") as folder:
        path = Path(folder) / f"draft{suffix}"
        path.write_text(text, encoding="utf-8")
        try:
            with app.suspend():
                subprocess.run([*shlex.split(command), str(path)], check=True)
            return printable(path.read_text(encoding="utf-8"))
        except SuspendNotSupported:
            raise ExternalEditorError("This terminal cannot open an external editor.", "Edit here instead.") from None
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            raise ExternalEditorError(f"{command}: {error}", set_it) from None
