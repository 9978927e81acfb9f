"""Syntax colors with a contrast of at least 4.5:1 (WCAG AA) on the background of every theme; tests check this."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pygments.token import Token
from rich.style import Style
from textual.app import App
from textual.color import BLACK, WHITE, Color
from textual.highlight import HighlightTheme

RATIO_MIN = 4.5
_STEP = 0.05


_INKS = {
    Token.Comment: "$secondary italic",
    Token.Error: "$text-error",
    Token.Generic.Error: "$text-error",
    Token.Generic.Emph: "italic",
    Token.Generic.Strong: "bold",
    Token.Generic.Heading: "bold",
    Token.Keyword: "$primary",
    Token.Keyword.Constant: "$text-warning",
    Token.Literal.Number: "$text-warning",
    Token.Literal.String: "$text-success",
    Token.Name.Builtin: "$primary",
    Token.Name.Class: "bold",
    Token.Name.Decorator: "$primary",
    Token.Name.Function: "bold",
    Token.Operator.Word: "$primary",
}


class LegibleHighlightTheme(HighlightTheme):
    """Syntax colors for code inside Markdown, using only the theme's legible colors."""

    STYLES = _INKS


def code_background(app: App[Any]) -> Color:
    """Return the code editor's background color.

    If only the terminal knows the color, assume black or white, based on the theme.
    """
    ground = Color.parse(app.get_css_variables()["background"])
    if ground.ansi is None:
        return ground
    return BLACK if app.current_theme.dark else WHITE


def legible_styles(styles: Mapping[str, Style], ground: Color) -> dict[str, Style]:
    """Return the styles with each text color made legible on this background; other attributes are unchanged."""
    return {name: style + _ink(style, ground) for name, style in styles.items()}


def legible_color(ink: Color, ground: Color) -> Color:
    """Return the color, shifted toward white or black only as far as legibility requires."""
    end = max(WHITE, BLACK, key=lambda ink: contrast_ratio(ink, ground))
    moved, share = ink, 0.0
    while contrast_ratio(moved, ground) < RATIO_MIN and share < 1:
        share = min(1.0, share + _STEP)
        moved = ink.blend(end, share)
    return moved


def contrast_ratio(one: Color, other: Color) -> float:
    """Return the contrast ratio of two opaque colors, 1 to 21. Source: WCAG 2.2, "contrast ratio"."""
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Color) -> float:
    linear = [
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in colour.normalized
    ]
    return sum(weight * channel for weight, channel in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _ink(style: Style, ground: Color) -> Style:
    if style.color is None:
        return Style()
    return Style(color=legible_color(Color.from_rich_color(style.color), ground).rich_color)
