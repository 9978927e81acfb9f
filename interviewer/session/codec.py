"""Converts frozen dataclasses to JSON values and back, based on their annotations; raises on a type mismatch."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


class CodecError(ValueError):
    """A JSON value does not match the expected type; the error message names the field."""


def to_plain(value: Any) -> Any:
    """Return the value as JSON data: dataclasses as objects, tuples as lists, enums as their values."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: to_plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [to_plain(item) for item in value]
    return value


def from_plain(kind: type[T], value: Any, where: str = "") -> T:
    """Decode JSON data into this type. Raises CodecError, which names the field, if the data does not fit the type."""
    result: T = _decode(kind, value, where or getattr(kind, "__name__", str(kind)))
    return result


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _decode(kind: Any, value: Any, where: str) -> Any:
    origin = get_origin(kind)
    if is_dataclass(kind) and isinstance(kind, type):
        return _decode_dataclass(kind, value, where)
    if isinstance(kind, type) and issubclass(kind, Enum):
        try:
            return kind(value)
        except ValueError as error:
            raise CodecError(f"{where}: {error}") from None
    if origin is tuple:
        item_kind = get_args(kind)[0]
        if not isinstance(value, list):
            raise CodecError(f"{where}: expected a list, got {type(value).__name__}")
        return tuple(_decode(item_kind, item, f"{where}[{index}]") for index, item in enumerate(value))
    if origin in (Union, types.UnionType):
        others = [option for option in get_args(kind) if option is not type(None)]
        return None if value is None else _decode(others[0], value, where)
    if origin in (dict, Mapping) or (isinstance(origin, type) and issubclass(origin, Mapping)):
        item_kind = get_args(kind)[1]
        if not isinstance(value, dict):
            raise CodecError(f"{where}: expected an object, got {type(value).__name__}")
        return {key: _decode(item_kind, item, f"{where}.{key}") for key, item in value.items()}
    return _decode_scalar(kind, origin, value, where)


def _decode_scalar(kind: Any, origin: Any, value: Any, where: str) -> Any:
    if origin is Literal:
        if value in get_args(kind):
            return value
        raise CodecError(f"{where}: expected one of {get_args(kind)}, got {value!r}")
    if kind is Any:
        return value
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or (kind in (int, float) and isinstance(value, bool)):
        raise CodecError(f"{where}: expected {kind.__name__}, got {type(value).__name__}")
    return value


def _decode_dataclass(kind: type, value: Any, where: str) -> Any:
    if not isinstance(value, dict):
        raise CodecError(f"{where}: expected an object, got {type(value).__name__}")
    hints = _hints(kind)
    # A class whose fields have changed converts its old records itself.
    if hasattr(kind, "upgraded"):
        value = kind.upgraded(value)
    unknown = sorted(set(value) - set(hints))
    if unknown:
        raise CodecError(f"{where}: unknown field {unknown[0]}")
    try:
        return kind(**{name: _decode(hints[name], item, f"{where}.{name}") for name, item in value.items()})
    except TypeError as error:
        raise CodecError(f"{where}: {error}") from None
