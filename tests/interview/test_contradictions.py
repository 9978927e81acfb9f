"""A contradicted point in a whole interview: the question on screen, and then the debrief and the report."""

from __future__ import annotations

from pathlib import Path

from interviewer.log.history import drills_of, read_history
from interviewer.log.reports.html import drill_section
from interviewer.session.debrief import plain_debrief
from tests.fakes import make_interview
from tests.interview.test_revisions import ONE, play


def test_who_contradicts_a_point_is_asked_about_it_and_the_report_tells_the_correction(tmp_path: Path) -> None:
    interview = make_interview(tmp_path, ONE)
    contradicts, corrects = "Here is no word2 at <all>.", "There is word2 after all."

    out, _ = play(interview, "word1 matters", ".", contradicts, ".", corrects, ".", "/skip", ".")

    assert f"You said: “{contradicts}”\n\nWhat follows from that? Tell me what point 2 is about." in out
    note = f"You said “{contradicts}” before, which seemed to contradict this point. You corrected it when asked."
    assert f"**heard** “{corrects}” {note}" in plain_debrief(interview.session)
    [past] = drills_of(read_history(interview._log, lambda text: text).sessions[0])
    assert note.replace("<all>", "&lt;all&gt;") in str(drill_section(past))
