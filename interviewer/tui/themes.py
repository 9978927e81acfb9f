"""The two colour themes of the app: calm greys and one accent; the accent never carries meaning alone."""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    name="interviewer-dark",
    primary="#7cc0ae",
    secondary="#9dabb7",
    accent="#7cc0ae",
    foreground="#d9dde2",
    background="#14171a",
    surface="#191d21",
    panel="#22272d",
    warning="#dfae5f",
    error="#ec7f79",
    success="#93c47d",
    variables={
        "border": "#7cc0ae",
        "border-blurred": "#39414a",
        "footer-background": "#191d21",
        "footer-key-foreground": "#7cc0ae",
        "block-cursor-background": "#233a35",
        "block-cursor-foreground": "#eef2f4",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": "#252b31",
        "input-selection-background": "#7cc0ae 35%",
        "scrollbar": "#343b43",
        "scrollbar-hover": "#47515b",
        "scrollbar-active": "#7cc0ae",
        "scrollbar-background": "#191d21",
        "scrollbar-background-hover": "#191d21",
        "scrollbar-background-active": "#191d21",
    },
)
LIGHT = Theme(
    name="interviewer-light",
    primary="#1f6f5f",
    secondary="#55616c",
    accent="#1f6f5f",
    foreground="#23292f",
    background="#f6f5f1",
    surface="#fbfaf7",
    panel="#ebe9e3",
    warning="#8a5a00",
    error="#b3322c",
    success="#3c6e23",
    dark=False,
    variables={
        "border": "#1f6f5f",
        "border-blurred": "#cfccc3",
        "footer-background": "#ebe9e3",
        "footer-key-foreground": "#1f6f5f",
        "block-cursor-background": "#cfe5de",
        "block-cursor-foreground": "#14201c",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": "#e3e1da",
        "input-selection-background": "#1f6f5f 30%",
    },
)
