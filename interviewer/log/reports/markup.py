"""HTML that cannot be broken into: every text is escaped unless it was built here, and no control character stays."""

from __future__ import annotations

from html import escape

from interviewer.sanitize import printable

_VOID = frozenset({"br", "meta", "hr", "wbr"})


class Html(str):
    """Hold markup that is whole and safe; a plain str is text and is escaped where it is put in."""

    __slots__ = ()


def tag(name: str, /, *inside: str, **attributes: str | float) -> Html:
    """Return one element; in attribute names _ stands for -, and a trailing _ is dropped (class_)."""
    said = "".join(f' {_name(key)}="{escape(printable(str(value)))}"' for key, value in attributes.items())
    if name in _VOID:
        return Html(f"<{name}{said}>")
    return Html(f"<{name}{said}>{joined(*inside)}</{name}>")


def joined(*pieces: str) -> Html:
    """Return the pieces one after the other, every plain text among them escaped."""
    return Html("".join(one if isinstance(one, Html) else escape(printable(one)) for one in pieces))


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")
