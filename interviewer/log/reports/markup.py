"""Build HTML that text cannot inject into: everything not built here is escaped, and control characters are removed."""

from __future__ import annotations

from html import escape

from interviewer.sanitize import printable

_VOID = frozenset({"br", "meta", "hr", "wbr"})


class Html(str):
    """Hold complete and safe markup; a plain str is text and is escaped when it is inserted."""

    __slots__ = ()


def tag(name: str, /, *inside: str, **attributes: str | float) -> Html:
    """Return one element; in attribute names _ stands for -, and a trailing _ is dropped (class_)."""
    attribute_text = "".join(f' {_name(key)}="{escape(printable(str(value)))}"' for key, value in attributes.items())
    if name in _VOID:
        return Html(f"<{name}{attribute_text}>")
    return Html(f"<{name}{attribute_text}>{joined(*inside)}</{name}>")


def joined(*pieces: str) -> Html:
    """Return the concatenated pieces, with plain text escaped."""
    return Html("".join(piece if isinstance(piece, Html) else escape(printable(piece)) for piece in pieces))


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")
