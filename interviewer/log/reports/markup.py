"""Builds HTML that is safe from injection: any text not built here is escaped, and control characters are removed."""

from __future__ import annotations

from html import escape

from interviewer.sanitize import printable

_VOID = frozenset({"br", "meta", "hr", "wbr"})


class Html(str):
    """Complete and safe markup; a plain str is treated as text and escaped on insertion."""

    __slots__ = ()


def tag(name: str, /, *inside: str, **attributes: str | float) -> Html:
    """Return one element; in attribute names, _ becomes -, and a trailing _ is dropped (class_)."""
    attribute_text = "".join(f' {_name(key)}="{escape(printable(str(value)))}"' for key, value in attributes.items())
    if name in _VOID:
        return Html(f"<{name}{attribute_text}>")
    return Html(f"<{name}{attribute_text}>{joined(*inside)}</{name}>")


def joined(*pieces: str) -> Html:
    """Return the concatenated pieces, with plain text escaped."""
    return Html("".join(piece if isinstance(piece, Html) else escape(printable(piece)) for piece in pieces))


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")
