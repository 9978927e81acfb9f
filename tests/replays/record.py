"""Write a logged session as a recording: python tests/replays/record.py SESSION NAME."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from interviewer.config import find_folders
from interviewer.log.store import PracticeLog
from interviewer.session.codec import to_plain
from interviewer.session.engine import fold
from interviewer.session.events import dump_event


def main() -> None:
    """Write NAME.jsonl and NAME.state.json next to this file."""
    session_id, name = sys.argv[1:]
    log = PracticeLog(find_folders().log_file)
    events = log.events(session_id)
    session = fold(events)
    here = Path(__file__).parent
    (here / f"{name}.jsonl").write_text("".join(f"{dump_event(event)}\n" for event in events), encoding="utf-8")
    state = json.dumps(to_plain(session), indent=1, ensure_ascii=True)
    (here / f"{name}.state.json").write_text(f"{state}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
