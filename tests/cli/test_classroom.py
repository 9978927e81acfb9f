"""A class in one summary: known logs give known figures, nobody is named, and a hostile file does not stop it."""

from __future__ import annotations

import json
import os
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graders.verdict import Verdict
from interviewer.cli.group import run
from interviewer.log.attempts import LoggedAttempt
from interviewer.log.reports.classroom import Catalog, Item, MistakeKey, Person, TaskResult, summarize_class
from interviewer.log.reports.jsonl import export_lines
from interviewer.log.store import PracticeLog
from interviewer.session import events
from interviewer.session.scoring import Depth
from interviewer.session.state import Awaiting
from tests.log.build import attempt, logged, run_of, unmasked, whole_run
from tests.log.test_page import HOSTILE, Reader
from tests.session.build import Run, heard, report

pytestmark = pytest.mark.slow

Captured = pytest.CaptureFixture[str]
WORDS = "my own words about clipping"


def said(capsys: Captured, *arguments: str) -> tuple[int, str, str]:
    """Run one command; return its exit code, stdout and stderr."""
    code = run(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def handed_in(folder: Path, name: str, *runs: Run, attempts: tuple[LoggedAttempt, ...] = ()) -> Path:
    """Write one person's export with the same code as `interviewer export`."""
    folder.mkdir(exist_ok=True)
    log = logged(PracticeLog(folder.parent / f"{name}.db"), *runs)
    for submission in attempts:
        log.record_attempt(submission)
    file = folder / f"{name}.jsonl"
    file.write_text("".join(f"{line}\n" for line in export_lines(log, unmasked)))
    log.close()
    return file


def drilled(name: str, *points: str, judge: str = "offline", at: float = 1000.0, belief: str = "") -> Run:
    """Return a session in which every answer to one question shows these points, as judged by this examiner."""
    made = run_of(name, ("question", "ppo_clipping"), at=at, examiner=judge)
    heard_now = replace(heard(*points, beliefs=(belief,) if belief else ()), judge=judge)
    while made.session.awaiting is Awaiting.ANSWER and not made.session.drill.improvised:
        made.answer(heard_now, text=WORDS)
    return made


def gae(name: str, mistake: str = "", verdict: Verdict = Verdict.WRONG_VALUE) -> LoggedAttempt:
    return replace(attempt(name, source=WORDS), report=replace(report(verdict, mistake), task="gae"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with four people: three judged offline, one by a model; two tried gae, and one passed."""
    made = tmp_path / "class"
    twice = (gae("t1", "monte_carlo_targets"), gae("t2", "monte_carlo_targets"), gae("t3", verdict=Verdict.PASSED))
    handed_in(made, "Anna Amsel", drilled("a", "p1", "p2", belief="wrong"), attempts=twice)
    handed_in(made, "Ben Buche", drilled("b", "p1", belief="wrong"), attempts=(gae("t1", "monte_carlo_targets"),))
    handed_in(made, "Carl Cirrus", drilled("c", "p1", "p2", "p3"))
    handed_in(made, "Dora Dorn", drilled("d", "p1", "p2", "p3", "p4", judge="llm:x"))
    return made


def object_of(capsys: Captured, folder: Path, *more: str) -> dict[str, Any]:
    code, out, _ = said(capsys, "class", str(folder), "--json", *more)
    assert code == 0
    found: dict[str, Any] = json.loads(out)
    return found


@pytest.mark.expectation(number=70)
def test_what_a_class_adds_up_to(capsys: Captured, folder: Path) -> None:
    found = object_of(capsys, folder)
    assert [found[name] for name in ("people", "left_out", "sessions", "answered", "submissions")] == [4, 0, 4, 4, 4]
    assert found["tasks"] == [{"task": "gae", "tried": 2, "passed": 1, "submissions": 4}]
    assert [(mistake["id"], mistake["people"], mistake["submissions"]) for mistake in found["mistakes"]] == [
        ("monte_carlo_targets", 2, 3)
    ]
    assert found["mistakes"][0]["says"].startswith("Uses discounted rewards-to-go"), "the catalogue's sentence"
    assert found["misconceptions"] == [
        {"question": "ppo_clipping", "heard_by": {"offline": 2}, "id": "wrong", "says": "Believes it.", "people": 2}
    ]
    assert "ppo_clipping" not in found["nobody_met"]["questions"]
    assert "gspo_sequence_ratio" in found["nobody_met"]["questions"]
    assert "gae" not in found["nobody_met"]["tasks"]
    assert "ppo_clip_loss" in found["nobody_met"]["tasks"]
    assert "ppo" not in found["nobody_met"]["topics"]
    assert "mixture of experts" in found["nobody_met"]["topics"]


@pytest.mark.expectation(number=70)
def test_figures_of_two_examiners_are_two_figures(capsys: Captured, folder: Path) -> None:
    found = object_of(capsys, folder)
    (topic,) = found["topics"]
    assert (topic["topic"], topic["people"]) == ("ppo", 4)
    offline, model = sorted(topic["by_examiner"], key=lambda judged: judged["examiner"] != "offline")
    assert (offline["examiner"], offline["people"]) == ("offline", 3)
    assert (model["examiner"], model["people"]) == ("llm:x", 1)
    assert offline["lowest"] < offline["median"] < model["median"] == model["lowest"]
    judged = {examiner["examiner"]: (examiner["people"], examiner["calibrated_for"]) for examiner in found["examiners"]}
    assert judged == {"offline": (3, 0), "llm:x": (1, 0)}
    out = said(capsys, "class", str(folder))[1]
    assert re.search(rf"ppo +offline +3 of 4 +{offline['unclear']} +{offline['median']:.1f}", out)
    assert re.search(r"ppo +llm:x +1 of 4 ", out)
    assert "llm:x: " in out
    assert out.count("uncalibrated") == 2


def test_page_and_terminal_show_the_same_figures(capsys: Captured, folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "class.html"
    code, out, err = said(capsys, "class", str(folder), "--html", str(page))
    assert (code, out.strip(), err) == (0, str(page), "")
    text = page.read_text(encoding="utf-8")
    reader = Reader(text)
    shown = said(capsys, "class", str(folder))[1]
    for row in (
        "Generalized advantage estimation",
        "offline",
        "person 4",
        "Uses discounted rewards-to-go",
        "4 people, 4 sessions",
    ):
        assert row in shown
        assert row in reader.words
    by_examiner = object_of(capsys, folder)["topics"][0]["by_examiner"]
    for row in by_examiner:
        assert f"median {row['median']:.1f}" in reader.words
    assert "gspo sequence ratio" in reader.words
    assert "A flat line in the log" in reader.words
    assert reader.tags & {"script", "link", "img", "iframe", "a"} == set()
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in reader.attributes


@pytest.mark.expectation(number=70)
def test_nobody_is_named_and_nobodys_words_are_told(capsys: Captured, folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "class.html"
    said(capsys, "class", str(folder), "--html", str(page))
    told = [said(capsys, "class", str(folder))[1], json.dumps(object_of(capsys, folder)), page.read_text("utf-8")]
    for text in told:
        assert "person 4" in text
        for secret in ("Anna", "Amsel", "jsonl", WORDS, "quote of p1", "it is bounded"):
            assert secret not in text.partition("</style>")[2] if "</style>" in text else secret not in text
    named = said(capsys, "class", str(folder), "--names")[1]
    assert "Anna Amsel" in named
    assert "person 4" not in named


def test_numbers_follow_the_content_and_not_the_names(capsys: Captured, folder: Path) -> None:
    before = said(capsys, "class", str(folder))[1]
    named = [person["person"] for person in object_of(capsys, folder, "--names")["persons"]]
    assert named != sorted(named), "an order by name would tell who is who"
    for number, file in enumerate(sorted(folder.iterdir(), reverse=True)):
        file.rename(folder / f"{number}.jsonl")
    assert said(capsys, "class", str(folder))[1] == before


def test_what_cannot_be_read_is_named_on_stderr_and_counted(capsys: Captured, folder: Path) -> None:
    whole = (folder / "Anna Amsel.jsonl").read_text()
    (folder / "damaged.jsonl").write_text(whole[:-40])
    (folder / "newer.jsonl").write_text('{"kind": "practice_log", "format": 99}\n' + whole)
    (folder / "bytes.jsonl").write_bytes(b"\xff\xfe\x00")
    # A value that the code that reads exports does not foresee: a list where an object belongs.
    (folder / "byhand.jsonl").write_text(whole.replace('"seconds": {}', '"seconds": []'))
    (folder / "link.jsonl").symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "notes.txt").write_text("not a log")
    code, out, err = said(capsys, "class", str(folder))
    assert code == 0
    assert "4 people" in out
    assert "Skipped: 6 unreadable files." in out
    told = dict(line.split(": left out: ") for line in err.splitlines())
    assert set(told) == {f"{stem}.jsonl" for stem in ("damaged", "newer", "bytes", "byhand", "link", "pipe")}
    assert "upgrade interviewer" in told["newer.jsonl"]
    assert "line" in told["damaged.jsonl"]
    assert object_of(capsys, folder)["left_out"] == 6


@pytest.mark.parametrize("content", [None, "{", '{"kind": "practice_log", "format": 99}'])
def test_when_nothing_can_be_read_the_code_is_2(capsys: Captured, tmp_path: Path, content: str | None) -> None:
    if content:
        (tmp_path / "one.jsonl").write_text(content)
    code, out, _ = said(capsys, "class", str(tmp_path), "--json")
    assert code == 2
    assert set(json.loads(out)) == {"error"}


def test_the_users_own_log_is_neither_read_nor_changed(capsys: Captured, folder: Path, tmp_path: Path) -> None:
    said(capsys, "class", str(folder))
    assert not (tmp_path / "home").exists()
    (tmp_path / "home" / "data").mkdir(parents=True)
    (tmp_path / "home" / "data" / "log.db").write_bytes(b"no log at all")
    assert said(capsys, "class", str(folder))[0] == 0
    assert [path.read_bytes() for path in (tmp_path / "home").rglob("*.db*")] == [b"no log at all"]


def test_a_file_handed_in_twice_counts_once_and_shared_sessions_are_told(capsys: Captured, folder: Path) -> None:
    shutil.copy(folder / "Anna Amsel.jsonl", folder / "Anna again.jsonl")
    handed_in(folder, "Emil", drilled("c", "p1"))
    code, out, err = said(capsys, "class", str(folder))
    assert code == 0
    assert "5 people" in out
    assert "Anna again.jsonl" in err
    assert "counted once" in err
    assert "Emil.jsonl: has sessions that are also in Carl Cirrus.jsonl" in err


def test_a_session_that_todays_rules_refuse_is_counted_apart(capsys: Captured, folder: Path) -> None:
    log = PracticeLog(folder.parent / "odd.db")
    log.append("odd", 0, run_of("odd").events[0], events.Assessed(1001.0, heard()))
    (folder / "odd.jsonl").write_text("".join(f"{line}\n" for line in export_lines(log, unmasked)))
    _, out, err = said(capsys, "class", str(folder), "--names")
    assert "5 people, 4 sessions" in out
    assert "Not included: 1 session that cannot be replayed" in out
    assert re.search(r"^odd +0 ", out, re.MULTILINE)
    assert "odd.jsonl: 1 of its sessions" in err
    found = object_of(capsys, folder, "--names")
    assert (found["sessions"], found["sessions_not_followed"]) == (4, 1)
    assert {person["person"]: person["sessions"] for person in found["persons"]}["odd"] == 0


def test_what_others_wrote_is_shown_and_never_obeyed(capsys: Captured, folder: Path, tmp_path: Path) -> None:
    hostile = whole_run("h", words=HOSTILE, source=HOSTILE)
    start = hostile.events[0]
    assert isinstance(start, events.SessionStarted)
    question = replace(start.questions[0], topics=(f"ppo\n{HOSTILE}",))
    hostile.events[0] = replace(start, questions=(question,))
    diagnosed = gae("t9", "made up " + HOSTILE.replace("\ud800", ""))
    handed_in(folder, "\x1b[2Jevil", hostile, attempts=(diagnosed,))
    page = tmp_path / "class.html"
    said(capsys, "class", str(folder), "--names", "--html", str(page))
    text = page.read_text(encoding="utf-8")
    assert Reader(text).tags & {"script", "img"} == set()
    outs = (*said(capsys, "class", str(folder), "--names")[1:], json.dumps(object_of(capsys, folder, "--names")), text)
    for out in outs:
        assert re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\ud800-\udfff]|\\\\u001b|\\\\u202e", out) == []
    assert re.search(r"^ppo </li>", outs[0], re.MULTILINE), "a topic cannot begin a line of its own"


def person(digest: str, depths: dict[tuple[str, str], Depth], **more: Any) -> Person:
    empty: dict[str, Any] = {
        "sessions": (), "unfollowed": 0, "answered": 0, "judged": {}, "calibrated": frozenset(), "tried": {},
        "held": {}, "met": frozenset(), "says": {},
    }  # fmt: skip
    return Person(f"{digest}.jsonl", digest, latest=depths, **{**empty, **more})


def depth(mean: float, width: float = 1.0) -> Depth:
    return Depth(mean, mean - width / 2, mean + width / 2, width)


def test_the_median_leaves_out_whom_too_little_was_heard_of() -> None:
    key = ("ppo", "offline")
    found = [person(str(n), {key: depth(mean)}) for n, mean in enumerate((3.0, 1.0, 2.0, 4.0))]
    summary = summarize_class([*found, person("9", {key: depth(0.1, width=3.0)})], 0, Catalog({}, {}, {}))
    (topic,) = summary.topics
    assert (topic.median, topic.depths[0], topic.people, topic.unclear_count) == (2.5, 1.0, 5, 1)
    only_unclear = summarize_class([person("9", {key: depth(0.1, width=3.0)})], 0, Catalog({}, {}, {})).topics[0]
    assert (only_unclear.median, only_unclear.people) == (None, 1)


def test_most_people_stand_first_and_a_catalogues_sentence_goes_before_a_files() -> None:
    task = Item("task", "gae")
    many, few = MistakeKey(task, "many"), MistakeKey(task, "few")
    tried = TaskResult(9, False, {"few": 9})
    found = [person("0", {}, tried={"gae": tried}, says={few: "In the file.", many: "Forged."})]
    found += [person(n, {}, tried={"gae": TaskResult(1, True, {"many": 1})}) for n in ("1", "2")]
    summary = summarize_class(found, 0, Catalog({task: ("returns",)}, {task: "a"}, {many: "In the catalogue."}))
    assert [(mistake.says, mistake.people, mistake.submissions) for mistake in summary.mistakes] == [
        ("In the catalogue.", 2, 2),
        ("In the file.", 1, 9),
    ]
    assert [(task.tried, task.passed, task.submissions) for task in summary.tasks] == [(3, 2, 11)]
    assert (summary.unmet, summary.unmet_topics) == ((task,), ("returns",)), "what was met is told by `met` alone"


def test_the_latest_depth_of_a_person_counts(capsys: Captured, tmp_path: Path) -> None:
    late = handed_in(tmp_path / "alone", "late", drilled("l", "p1", at=90_000.0)).read_text()
    early = handed_in(tmp_path / "early", "early", drilled("e", "p1", "p2", "p3", "p4")).read_text()
    (tmp_path / "both").mkdir()
    (tmp_path / "both" / "one.jsonl").write_text(late + early)
    both, alone, first = (
        object_of(capsys, tmp_path / name)["topics"][0]["by_examiner"][0] for name in ("both", "alone", "early")
    )
    assert both == alone
    assert both["median"] < first["median"]
