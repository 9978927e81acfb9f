"""The HTML report is one safe file: no scripts, no requests, no typed text becomes markup, and no key is in it."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from graders.verdict import Verdict
from interviewer.log.history import History, read_history
from interviewer.log.reports.html import html_report
from interviewer.log.reports.markup import Html, joined, tag
from interviewer.log.reports.overview import overview
from interviewer.log.reports.svg import DEPTH_BOTTOM, DEPTH_TOP
from interviewer.log.reports.text_plots import DEPTH_MAX, POINTS_MAX, sparkline
from interviewer.log.schedule import due_items, reviews_of, schedule
from interviewer.log.store import PracticeLog
from interviewer.log.trends import topic_trends
from interviewer.sanitize import MASKED, masker, printable
from interviewer.session.question import CheckedSource
from tests.log.build import DAY, QUESTION, attempt, history_of, logged, run_of, whole_run
from tests.session.build import Run, heard, started, ungraded

HOSTILE = (
    "</li></ul><script>alert(1)</script> <img src=x onerror=alert(2)> ]]> <!-- \" ' onload=x style=y & &lt; "
    "<a href='javascript:alert(3)'>x</a> \x1b[31m\x00\x08 \u202eevil \ud800 </style></svg><svg onload=alert(4)>"
)
VOID = {"br", "meta", "hr", "wbr"}


class Reader(HTMLParser):
    """Collects tags, attributes and text, and checks that every element is closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.words = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def made(history: History, **tasks: tuple[str, ...]) -> str:
    cards = schedule(reviews_of(history))
    return html_report(history, topic_trends(history, tasks), due_items(cards, 1e12), "Practice report", 100 * DAY)


def full_page(folder: Path, words: str = "an answer") -> str:
    attempts = (attempt("a1", 3 * DAY, Verdict.RAISED, words), attempt("a2", 4 * DAY))
    unjudged = run_of("s3", at=9 * DAY)
    unjudged.answer(ungraded(f"no idea {words}"), text=words)
    runs = (whole_run("s1", words=words, source=words), whole_run("s2", at=7 * DAY), unjudged)
    return made(history_of(folder, *runs, attempts=attempts), gae=("returns",))


def test_the_page_has_its_parts_with_numbers(tmp_path: Path) -> None:
    text = full_page(tmp_path)
    reader = Reader(text)
    for heading in ("What next", "Topics and depth", "Timeline", "Tasks", "Evidence", "Not judged"):
        assert heading in reader.words
    assert "2/2" in reader.words
    assert "0/2" in reader.words
    assert "Cohen's kappa 0.50" in reader.words
    assert "interviewer interview --question clipping" in reader.words
    assert "quote of p1" in reader.words
    assert "1 of 2 passed" in reader.words
    assert "raised" in text
    assert reader.words.count("✓") >= 2
    assert reader.words.count("✗") >= 2


def test_the_page_asks_for_nothing_and_runs_nothing(tmp_path: Path) -> None:
    text = full_page(tmp_path)
    reader = Reader(text)
    assert reader.tags & {"script", "link", "img", "iframe", "object", "embed", "base", "form", "a"} == set()
    assert [name for name, _ in reader.attributes if name.startswith("on") or name in {"src", "href", "action"}] == []
    assert re.findall(r"url\(|@import|https?:", text) == []
    assert ("http-equiv", "Content-Security-Policy") in reader.attributes
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in reader.attributes
    assert ("content", "width=device-width, initial-scale=1") in reader.attributes


def test_the_page_follows_light_and_dark_fits_a_phone_and_prints(tmp_path: Path) -> None:
    style = full_page(tmp_path).partition("<style>")[2].partition("</style>")[0]
    for rule in ("prefers-color-scheme: dark", "@media print", "max-width: 52rem", "overflow-x: auto"):
        assert rule in style
    assert style.count("{") == style.count("}")


def test_what_was_typed_is_shown_and_never_obeyed(tmp_path: Path) -> None:
    text = full_page(tmp_path, words=HOSTILE)
    reader = Reader(text)
    assert "script" not in reader.tags
    assert "img" not in reader.tags
    assert [name for name, _ in reader.attributes if name.startswith("on")] == []
    assert "<script>alert(1)</script>" in reader.words
    assert re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\ud800-\udfff]", text) == []
    text.encode("utf-8")


@pytest.mark.expectation(number=61)
def test_the_plots_are_well_formed_and_every_mark_has_words(tmp_path: Path) -> None:
    drawings = re.findall(r"<svg.*?</svg>", full_page(tmp_path, words=HOSTILE), re.DOTALL)
    assert len(drawings) >= 3
    for drawing in drawings:
        root = ElementTree.fromstring(drawing)
        assert root.get("aria-label")
        groups = root.findall("g")
        assert all(group.find("title") is not None for group in groups)
        _, _, width, height = (float(number) for number in (root.get("viewBox") or "").split())
        for mark in root.iter():
            for name, most in (("x", width), ("cx", width), ("y", height), ("cy", height)):
                assert 0 <= float(mark.get(name, "0")) <= most


@pytest.mark.expectation(number=55)
def test_the_page_draws_what_the_app_says_of_the_same_log(tmp_path: Path) -> None:
    many = [attempt(f"a{n}", n * DAY, Verdict.RAISED if n % 3 else Verdict.PASSED) for n in range(1, POINTS_MAX + 5)]
    runs = [whole_run(f"s{n}", at=(7 * n + 1) * DAY, words=f"answer {n}") for n in range(3)]
    history = history_of(tmp_path, *runs, attempts=tuple(many))
    trends = topic_trends(history, {"gae": ("returns",)})
    web, app = made(history, gae=("returns",)), overview(history, trends, []).splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in app if line.startswith("| ")]

    (judged,) = [topic for topic in trends if topic.depths]
    _, course, now, *_ = next(row for row in rows if row[0] == judged.name)
    assert re.search(rf"<tr><th>{judged.name}</th>.*?<td>{re.escape(now)}</td></tr>", web)
    heights = [float(height) for height in re.findall(r'<circle [^>]*cy="([0-9.]+)"', web)]
    assert sparkline([(DEPTH_BOTTOM - height) / (DEPTH_BOTTOM - DEPTH_TOP) * DEPTH_MAX for height in heights]) == course

    tasks = dict(re.findall(r"<h3>([^<]+) <svg(.*?)</svg>", web, re.DOTALL))
    assert set(tasks) == {"gae", "PPO loss"}
    for task, strip in tasks.items():
        marks = next(row[1] for row in rows if row[0] == task and re.search("[✓✗]", row[1]))
        assert "".join(re.findall("[✓✗]", strip)) == marks.split()[0]
    assert len(re.findall("[✓✗]", tasks["gae"])) == POINTS_MAX


def test_each_version_is_shown_after_its_own_source(tmp_path: Path) -> None:
    start = started(QUESTION)
    source = CheckedSource(
        "verl core_algos.py", "verl-project/verl", "core_algos.py", ("clamp",), "verl @ 1dda039, 2026-08"
    )
    checked = replace(start.questions[0], source=("arXiv:1707.06347", source.says), checked_sources=(source,))
    run = Run(replace(start, questions=(checked,)))
    run.answer(heard("p1"))

    assert "Source: arXiv:1707.06347; verl core_algos.py [verl @ 1dda039, 2026-08]" in made(history_of(tmp_path, run))


def test_no_key_is_in_the_page(tmp_path: Path) -> None:
    words = "plain secret and sk-abcdEFGH1234 and Bearer abc.DEF-123456 and AKIAIOSFODNN7EXAMPLE"
    log = logged(PracticeLog(tmp_path / "log.db"), whole_run(words=words, source=words))
    text = made(read_history(log, masker({"MY_API_KEY": "plain secret"})))
    assert MASKED in text
    for key in ("plain secret", "abcdEFGH", "abc.DEF", "IOSFODNN"):
        assert key not in text


@pytest.mark.parametrize("history", [History((), ()), History((run_of("s1").session,), ())])
def test_an_empty_or_barely_begun_log_makes_a_page_too(history: History) -> None:
    words = Reader(made(history)).words
    assert ("No entries yet" in words) is (not history.sessions)


def test_a_session_that_lasted_no_time_and_many_on_one_day_are_drawn(tmp_path: Path) -> None:
    runs = [whole_run(f"s{n}", at=1000.0 + n) for n in range(25)]
    text = made(history_of(tmp_path, *runs))
    assert text.count('class="bar"') == 25
    begun = run_of("s1")
    begun.answer(heard("p1"))
    assert "nan" not in made(History((begun.session,), ())).lower().replace("finance", "")


def test_markup_escapes_all_but_what_it_built() -> None:
    inside = tag("b", "<i>")
    assert inside == "<b>&lt;i&gt;</b>"
    assert tag("p", inside, "&", title='"x"') == '<p title="&quot;x&quot;"><b>&lt;i&gt;</b>&amp;</p>'
    assert joined("a" + tag("b", "c")) == "a&lt;b&gt;c&lt;/b&gt;", "a sum of strings is text again"
    assert isinstance(joined(inside, inside), Html)
    assert printable("a\tb\nc\rd\x9b\ufeff") == "a\tb\nc\nd\ufeff"
