"""Every offered theme is legible wherever it is used, and the first start fits the terminal's background."""

from __future__ import annotations

import pytest
from rich.color import Color as RichColor
from rich.style import Style
from textual.color import Color
from textual.widgets import OptionList

from interviewer.config import ABOUT, Settings, load_settings
from interviewer.interview.context import AppContext
from interviewer.tui.screens.settings import CHOICES, SettingsScreen
from interviewer.tui.themes import AUTO, OFFERED, is_light_ground
from interviewer.tui.widgets.code_editor import CodeEditor
from interviewer.tui.widgets.markdown import SafeMarkdown
from tests.tui.conftest import NARROW, WIDE, interview_of, open_app, shown_text, stage_of, wait_for

RATIO_MIN = 4.5
# The text colors that the app's stylesheets and rows use, and the backgrounds that they are drawn on.
INKS = ("foreground", "primary", "secondary", "text-warning", "text-error", "text-success")
GROUNDS = ("background", "surface", "panel")
ON_THE_CURSOR = ("foreground", "primary", "secondary", "block-cursor-foreground")
# The first 16 colors of xterm; if a terminal has different ones, the user has chosen them.
XTERM = (
    "#000000 #cd0000 #00cd00 #cdcd00 #0000ee #cd00cd #00cdcd #e5e5e5 "
    "#7f7f7f #ff0000 #00ff00 #ffff00 #5c5cff #ff00ff #00ffff #ffffff"
).split()
NAMES = "black red green yellow blue magenta cyan white".split()


def contrast(ground: Color, ink: Color) -> float:
    """Return the WCAG contrast of two colors, 1 to 21."""

    def light(colour: Color) -> float:
        parts = [part / 255 for part in colour.rgb]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(ground), light(ink)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def colour_of(value: str, ground: Color, is_dark: bool, is_ground: bool) -> Color:
    """Return a color of a theme as it appears on a background."""
    if value.startswith("auto"):
        colour = ground.get_contrast_text(float(value.partition(" ")[2].rstrip("%") or 100) / 100)
    elif value == "transparent":
        return ground
    elif value == "ansi_default":
        return Color.parse(("#000000", "#ffffff")[is_dark is not is_ground])
    elif value.startswith("ansi_"):
        name = value.removeprefix("ansi_")
        return Color.parse(XTERM[NAMES.index(name.removeprefix("bright_")) + 8 * name.startswith("bright_")])
    else:
        colour = Color.parse(value)
    return ground.blend(colour, colour.a, 1.0)


@pytest.mark.expectation(number=61)
@pytest.mark.parametrize("name", OFFERED)
def test_every_offered_theme_is_legible(context: AppContext, name: str) -> None:
    app = open_app(context)
    app.theme = name
    values, is_dark = app.get_css_variables(), app.current_theme.dark
    base = colour_of(values["background"], Color.parse("#000000"), is_dark, True)
    pairs = [(ground, ink) for ground in GROUNDS for ink in INKS]
    pairs += [("block-cursor-background", ink) for ink in ON_THE_CURSOR]
    pairs += [("block-cursor-blurred-background", ink) for ink in ON_THE_CURSOR[:3]]
    pairs += [("surface", "footer-key-foreground"), ("surface", "footer-description-foreground")]
    pairs += [("primary", "background")]  # a focused button
    poor = {}
    for ground_name, ink in pairs:
        ground = colour_of(values[ground_name], base, is_dark, True)
        ratio = contrast(ground, colour_of(values[ink], ground, is_dark, ink == "background"))
        if ratio < RATIO_MIN:
            poor[f"{ink} on {ground_name}"] = round(ratio, 2)
    assert poor == {}


STATEMENT = """
Some `code` in prose.

```python
@cache  # a comment
def f(x: float, *, y=None) -> str:
    '''A text.'''
    return f"{x:.2f}" if x is not None and y > 0.5 else str(True)
```
"""
CODE = """import torch
from math import nan as NAN

# a comment
@torch.no_grad()
class Loss(torch.nn.Module):
    '''A text.'''

    def forward(self, x: int, *rest, **more) -> float:
        if x is None or not rest:
            raise ValueError(f"{x!r} of {len(rest)}: %d" % 3.5e-3)
        return [one ** 2 for one in more.values() if one != True][0] @ x
"""


def rich_colour(colour: RichColor | None, is_dark: bool, is_ground: bool) -> Color:
    """Return a drawn color; the palette's 16 colors and the terminal's own two are xterm's."""
    if colour is None or colour.is_default:
        return Color.parse(("#000000", "#ffffff")[is_dark is not is_ground])
    return Color.parse(XTERM[colour.number]) if colour.number is not None else Color.from_rich_color(colour)


@pytest.mark.slow
@pytest.mark.expectation(number=61)
async def test_every_word_of_the_statement_and_the_code_is_legible_in_every_theme(context: AppContext) -> None:
    app = open_app(context, interview_of(context, tasks=("gae",)))
    async with app.run_test(size=WIDE) as pilot:
        screen = await stage_of(pilot)
        screen.query_one(CodeEditor).text = CODE
        await screen.query_one("#statement-text", SafeMarkdown).update(STATEMENT)
        for name in OFFERED:
            app.theme = name
            await pilot.pause()
            await wait_for(pilot, lambda: "ValueError" in shown_text(app), "the code")
            is_dark, poor, words = app.current_theme.dark, dict[str, float](), 0
            for strip in screen._compositor.render_strips():
                for segment in strip:
                    style = segment.style or Style()
                    ground = rich_colour(style.bgcolor, is_dark, True)
                    ink = rich_colour(style.color, is_dark, False)
                    ratio = contrast(ink, ground) if any(map(str.isalnum, segment.text)) else RATIO_MIN
                    words += any(map(str.isalnum, segment.text))
                    if ratio < RATIO_MIN:
                        poor[f"{segment.text.strip()} {ink.hex} on {ground.hex}"] = round(ratio, 2)
            assert words > 80, name
            assert poor == {}, name


def test_no_other_theme_can_be_chosen(context: AppContext) -> None:
    assert set(open_app(context).available_themes) == set(OFFERED)
    assert CHOICES["theme"] == (AUTO, *OFFERED)


@pytest.mark.parametrize(
    ("says", "is_light"),
    [("0;15", True), ("0;default;15", True), ("0;7", True), ("15;0", False), ("7;8", False), ("15;default", False)],
)
def test_what_the_terminal_says_of_its_background(says: str, is_light: bool) -> None:
    assert is_light_ground({"COLORFGBG": says}) is is_light
    assert not is_light_ground({"COLORFGBG": says, "TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver"})


@pytest.mark.expectation(number=60)
@pytest.mark.parametrize(
    ("wanted", "says", "theme"),
    [
        (AUTO, "0;15", "interviewer-light"),
        (AUTO, "15;0", "interviewer-dark"),
        (AUTO, "", "interviewer-dark"),
        ("interviewer-dark", "0;15", "interviewer-dark"),
        ("nord", "0;15", "nord"),
        ("no-such-theme", "0;15", "interviewer-light"),
    ],
)
def test_the_first_start_fits_the_background_and_a_setting_wins(
    context: AppContext, wanted: str, says: str, theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLORFGBG", says)
    if wanted != AUTO:  # AUTO applies if nothing was set
        context.folders.config_file.parent.mkdir(parents=True)
        context.folders.config_file.write_text(f'theme = "{wanted}"\n')
    context.settings = load_settings(context.folders, {}, {})
    assert open_app(context).theme == theme


async def test_auto_can_be_chosen_again(context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLORFGBG", "0;15")
    context.settings = Settings(theme="nord")
    app = open_app(context)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("s")
        await wait_for(pilot, lambda: isinstance(app.screen, SettingsScreen), "the settings")
        app.screen.query_one(OptionList).highlighted = list(ABOUT).index("theme")
        await pilot.press("enter", "1")
        await wait_for(pilot, lambda: app.theme == "interviewer-light", "the light theme")
        assert context.settings.theme == AUTO
