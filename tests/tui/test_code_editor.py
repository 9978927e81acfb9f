"""The editor colors the visible code, even if it began above the view, and an hour of typing leaks no memory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.widgets.text_area import Selection

from interviewer.tui.widgets.code_editor import CodeEditor

pytest.importorskip("tree_sitter_python")
LINES, KEYS = 1_000, 200
Ends = tuple[tuple[int, int], tuple[int, int]]
GROWTH_MAX_MIB = 6.0
STATM = Path("/proc/self/statm")


class OneEditor(App[None]):
    """Show the editor and nothing else."""

    def compose(self) -> ComposeResult:
        """Yield it."""
        yield CodeEditor()


def names_at(editor: CodeEditor, line: int) -> set[str]:
    """Return the syntax category of the line's color."""
    return {name for _, _, name in editor._highlights[line]}


@pytest.mark.parametrize(
    ("text", "selected", "keys", "after", "selection"),
    [
        ("ab", ((0, 1), (0, 1)), ["tab"], "a   b", ((0, 4), (0, 4))),
        ("a\nb\nc", ((0, 0), (1, 1)), ["tab"], "    a\n    b\nc", ((0, 4), (1, 5))),
        ("a\n\nb", ((0, 1), (2, 0)), ["tab"], "    a\n\nb", ((0, 5), (2, 0))),
        ("      a", ((0, 6), (0, 6)), ["shift+tab"], "  a", ((0, 2), (0, 2))),
        ("      a", ((0, 6), (0, 6)), ["shift+tab", "shift+tab", "shift+tab"], "a", ((0, 0), (0, 0))),
        ("    a\n\tb\n  c", ((2, 3), (0, 2)), ["shift+tab"], "a\nb\nc", ((2, 1), (0, 0))),
        ("    a\n    b", ((0, 0), (1, 5)), ["tab", "shift+tab", "ctrl+z"], "        a\n        b", None),
        ("foo bar", ((0, 3), (0, 7)), ["enter", "x"], "foo\nx", None),
        ("foo", ((0, 3), (0, 0)), ["enter", "x"], "\nx", None),
        ("  a: b", ((0, 4), (0, 6)), ["enter", "x"], "  a:\n      x", None),
    ],
)
async def test_tab_indents_and_shift_tab_unindents(
    text: str, selected: Ends, keys: list[str], after: str, selection: Ends | None
) -> None:
    app = OneEditor()
    async with app.run_test(size=(80, 20)) as pilot:
        editor = app.query_one(CodeEditor)
        editor.text = text
        editor.focus()
        editor.selection = Selection(*selected)
        await pilot.press(*keys)
        assert editor.text == after
        assert selection is None or editor.selection == Selection(*selection)
        assert app.focused is editor


@pytest.mark.expectation(number=35)
async def test_what_is_in_view_is_coloured_also_when_it_began_far_above() -> None:
    app = OneEditor()
    async with app.run_test(size=(80, 20)) as pilot:
        editor = app.query_one(CodeEditor)
        words = "".join(f"line {number} of the words\n" for number in range(300))
        editor.text = f'first = 1\n"""Words.\n{words}"""\n' + "last = None\n" * 300
        await pilot.pause()
        assert "string" not in names_at(editor, 0)
        assert "string" in names_at(editor, 10)
        assert names_at(editor, 250) == set()

        editor.scroll_to(y=240, animate=False)
        await pilot.pause()
        assert "string" in names_at(editor, 250)

        editor.scroll_to(y=450, animate=False)
        await pilot.pause()
        assert "constant.builtin" in names_at(editor, 455)
        assert "string" not in names_at(editor, 455)

        editor.move_cursor((455, 0))
        editor.insert("return 1  # ")
        await pilot.pause()
        assert {"keyword", "comment"} <= {name.partition(".")[0] for name in names_at(editor, 455)}


async def test_a_wide_window_colours_all_that_it_shows() -> None:
    app = OneEditor()
    async with app.run_test(size=(80, 10)) as pilot:
        editor = app.query_one(CodeEditor)
        editor.text = "value = None\n" * LINES
        await pilot.pause()
        await pilot.resize_terminal(80, 200)
        await pilot.pause()
        assert "constant.builtin" in names_at(editor, 190)


@pytest.mark.slow
@pytest.mark.skipif(not STATM.exists(), reason="memory is read from /proc")
async def test_typing_holds_on_to_nothing() -> None:
    app = OneEditor()
    async with app.run_test(size=(120, 40)) as pilot:
        editor = app.query_one(CodeEditor)
        editor.text = "".join(f"value_{number} = {number}\n" for number in range(LINES))
        editor.move_cursor((LINES, 0))

        async def type_keys(count: int) -> float:
            for number in range(count):
                editor.insert("x" if number % 40 else "\n")
                if number % 10 == 0:
                    await pilot.pause()
            pages = int(STATM.read_text(encoding="ascii").split()[1])
            return pages * os.sysconf("SC_PAGESIZE") / 2**20

        before = await type_keys(KEYS)
        assert await type_keys(KEYS) - before < GROWTH_MAX_MIB
