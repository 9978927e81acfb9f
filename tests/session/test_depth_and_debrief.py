"""The depth is a posterior that moves with evidence; the debrief quotes, never invents, and shows markup as text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from graders.verdict import Verdict
from interviewer.session import events
from interviewer.session.assessment import State
from interviewer.session.debrief import debrief, escape_markdown, without_escapes
from interviewer.session.question import CheckedSource
from interviewer.session.scoring import estimate_depth
from interviewer.session.state import Answer, Drill, SelfMark
from tests.session.build import Run, heard, report, started, ungraded
from tests.session.build import question as build_question

ONE = ("question", "clipping")


def played(*answers: tuple[str, ...]) -> Run:
    """Return a run in which the answers show these points one after another."""
    run = Run(started(ONE, examiner="llm:x"))
    for shown in answers:
        if not run.session.is_over:
            run.answer(heard(*shown))
    return run


def test_depth_grows_with_rungs_held_and_narrows_with_evidence() -> None:
    question = Run(started(ONE)).session.question("clipping")
    shallow = estimate_depth(question, played((), (), ()).session.drill)
    middle = estimate_depth(question, played((), ("p1",), ("p2",), (), ()).session.drill)
    deep = estimate_depth(question, played((), ("p1",), ("p2",), ("p3",), ("p4",)).session.drill)
    assert shallow is not None
    assert middle is not None
    assert deep is not None
    assert shallow.mean < 1.2 < middle.mean < deep.mean
    assert 1.5 < middle.mean < 3.0
    assert all(depth.low <= depth.mean <= depth.high <= 4 for depth in (shallow, middle, deep))


@given(results=st.lists(st.tuples(st.integers(1, 4), st.booleans()), min_size=1, max_size=6), place=st.integers(0, 5))
def test_a_rung_that_holds_never_lowers_the_depth(results: list[tuple[int, bool]], place: int) -> None:
    question = build_question()
    blank = Answer("ask", "said", 0, 1.0, heard(), None)

    def depth(results: list[tuple[int, bool]]) -> float:
        answers = tuple(replace(blank, rung=rung, has_passed=passed) for rung, passed in results)
        depth = estimate_depth(question, Drill(question.id, answers=answers))
        assert depth is not None
        return depth.mean

    place %= len(results)
    better = [(rung, passed or at == place) for at, (rung, passed) in enumerate(results)]
    assert depth(better) >= depth(results) - 1e-9


def test_nothing_judged_gives_no_depth() -> None:
    run = Run(started(ONE))
    run.answer(ungraded(), text="")
    assert estimate_depth(run.session.question("clipping"), run.session.drill) is None
    assert "ungraded" in debrief(run.session)


@pytest.mark.expectation(number=33)
def test_the_debrief_holds_quotes_break_marks_and_verdicts() -> None:
    run = Run(started(ONE, ("task", "ppo_clip_loss")))
    run.answer(heard("p1"), text="the first thing")
    for _ in range(4):
        run.answer(heard(), text="my last [b]words[/b] here")
    run.apply(events.SelfMarked(run.now, (SelfMark("p2", State.SHOWN),)))
    run.submit(report(Verdict.WRONG_VALUE, "max_for_min"))
    run.apply(events.EndAsked(run.now))
    text = debrief(run.session)
    assert "Heard 1 of 4 points" in text
    assert "“quote of p1”" in text
    assert "Stopped at rung 2" in text
    assert "my last [b]words[/b] here" in text
    assert "Your own mark: shown" in text
    assert ". Mistake: Takes the maximum." in text
    assert "**wrong value**, 1 of 2 cases passed" in text
    assert "interviewer challenge ppo_clip_loss" in text
    assert "%" not in text


def test_the_debrief_shows_each_version_after_its_own_source() -> None:
    version = "verl 0.7 @ 1dda039, 2026-08"
    source = CheckedSource("verl core_algos.py", "verl-project/verl", "core_algos.py", ("clamp",), version)
    run = Run(started(ONE))
    run.answer(heard("p1"))
    sources = ("arXiv:1707.06347", source.says, "PPO blog")
    checked = replace(run.session.question("clipping"), source=sources, checked_sources=(source,))
    text = debrief(replace(run.session, questions=(checked,)))
    assert f"Source: arXiv:1707.06347; verl core_algos.py [{version}]; PPO blog" in text
    assert version not in debrief(run.session)


def test_a_fallback_is_told() -> None:
    run = Run(started(ONE, examiner="llm:x"))
    run.apply(events.ExaminerChanged(run.now, "offline", "the server is gone"))
    assert "the server is gone" in debrief(run.session)
    assert "offline examiner" in debrief(replace(run.session))


def test_words_become_text_on_one_line() -> None:
    assert escape_markdown("# a\n\n[x](http://y) `z` <b>") == r"\# a [x\](http://y) \`z\` \<b>"


def test_what_was_skipped_is_to_be_practiced_and_what_held_is_not() -> None:
    run = Run(started(("question", "clipping"), ("question", "entropy"), ("task", "ppo_clip_loss")))
    run.answer(heard("p1"))
    run.apply(events.HintAsked(run.now + 1))
    at = run.session.drill.rung
    run.apply(events.SkipAsked(run.now + 1))
    run.apply(events.SelfMarked(run.now + 1, ()))
    run.apply(events.SkipAsked(run.now + 1))
    run.submit(report())
    lines = debrief(run.session).split("\n")
    practice = lines[lines.index("## Practice next") :]
    assert f"- clipping, rung {at}: clipping rung {at}?" in practice
    assert "- entropy: Why does entropy work?" in practice
    assert "  - Start it: interviewer interview --question entropy" in practice
    assert not [line for line in practice if line.startswith("- PPO loss")]
    assert f"You got help at rung {at}." in lines
    assert lines[lines.index("## PPO loss") + 2] == "1 minute, 0 hints, 1 submission."


# Escaped text between letters, quotes and list signs: Markdown shows exactly what was typed.
_SIGNS = st.text(alphabet=st.sampled_from("ab1 _*[](){}<>!#`~|$\\&;:/.-+=^\"'“”\n\té"), max_size=16)


@given(typed=_SIGNS, before=st.sampled_from(["", "- ", "Asked: ", "- “"]))
@example(typed="scale[0, 0] of kv_cache", before="- ")
def test_whatever_is_typed_markdown_shows_it_as_text(typed: str, before: str) -> None:
    words = " ".join(typed.split())
    escaped = escape_markdown(typed)
    assert without_escapes(escaped) == words
    blocks = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).parse(before + escaped)
    inline = [child for block in blocks for child in block.children or ()]
    assert {child.type for child in inline} <= {"text", "text_special"}
    assert "".join(child.content for child in inline) == before.removeprefix("- ") + words or not words


def test_an_underscore_in_a_word_and_a_bracket_without_a_link_need_no_backslash() -> None:
    assert escape_markdown(
        "scale[0, 0] of kv_cache in {x} is a<b!"
    ) == "scale[0, 0] of kv_cache in {x} is a<b!".replace("<", "\\<")
