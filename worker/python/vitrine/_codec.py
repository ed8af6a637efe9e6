"""Values on the wire: JSON text with tags, and the bytes that the text refers to.

``src/protocol/value-codec.ts`` is the other half; the two change together. An
object with exactly one key that starts with ``$`` is a tag; a dict that looks
like one travels inside ``{"$dict": …}``.
"""

from __future__ import annotations

import dataclasses
import datetime
import enum
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from vitrine._beginnings import shorten
from vitrine._content import Content
from vitrine._errors import RPCTransportError
from vitrine._json_text import read_json, write_json
from vitrine._packages import package_form
from vitrine._plain_forms import PlainForm, Refusal, plain_form

MAX_DEPTH = 100
_LARGEST_EXACT = 2**53
_REPR_LIMIT = 10_000
# What they hold is asked of the base class: a subclass may answer with anything.
_of_list: Callable[[object], Iterable[object]] = getattr(list, "__iter__")
_of_tuple: Callable[[object], Iterable[object]] = getattr(tuple, "__iter__")
_of_set: Callable[[object], Iterable[object]] = getattr(set, "__iter__")
_of_frozenset: Callable[[object], Iterable[object]] = getattr(frozenset, "__iter__")
_of_dict: Callable[[object], Iterable[tuple[object, object]]] = getattr(dict, "items")
_text_of: Callable[[object], str] = getattr(str, "__str__")
_TIMES = (datetime.datetime, datetime.date, datetime.time, datetime.timedelta)

# Numbers of a view by the letter and the size that ``struct`` has for them.
_NUMBER_KINDS: Mapping[str, str] = (
    dict.fromkeys("bhilqn", "int") | dict.fromkeys("HILQN", "uint") | dict.fromkeys("fd", "float")
)

_NATIVE_ORDER = ("", "@", "=", "<" if sys.byteorder == "little" else ">")

type Buffer = bytes | bytearray | memoryview


class ValueNotTransferableError(ValueError):
    """The value cannot be handed over; the message says what to hand over in its place."""


class Encoder:
    """Turns one Python value into wire text, collecting its bytes.

    Args:
        converts: Objects with an obvious plain form cross as that, as arguments do.
    """

    def __init__(self, *, converts: bool = False) -> None:
        self.buffers: list[Buffer] = []
        self._converts = converts
        self._open: set[int] = set()

    def text(self, value: object) -> str:
        return write_json(self._encode(value, 0))

    def _encode(self, value: object, depth: int) -> Any:
        kind: type[Any] = type(value)
        if value is None or kind is bool or kind is str:
            return value
        if kind is int:
            return _encode_int(cast(int, value))
        if kind is float:
            return _encode_float(cast(float, value))
        try:
            return self._encode_object(value, kind, depth)
        except MemoryError, ValueNotTransferableError:
            raise
        except Exception:  # noqa: BLE001 - whatever a class of the session's own makes of itself
            return opaque(value)

    def _encode_object(self, value: object, kind: type[Any], depth: int) -> Any:
        # By the class that Python knows: an object may say of itself that it has another.
        if kind is list or kind is dict or kind is tuple:
            return self._encode_container(value, kind, depth)
        form = package_form(value, kind)
        if form is not None:
            return self._encode_form(value, form, depth)
        if issubclass(kind, enum.Enum):
            return self._encode(cast("enum.Enum", value).value, depth)
        if issubclass(kind, (bytes, bytearray, memoryview)):
            return self._encode_bytes(cast("Buffer", value))
        if issubclass(kind, _TIMES):
            return {"$time": _encode_time(cast("Any", value))}
        return self._encode_container(value, kind, depth)

    def _encode_form(self, value: object, form: PlainForm | Refusal, depth: int) -> Any:
        if isinstance(form, Refusal):
            if self._converts:
                raise ValueNotTransferableError(form.reason)
            return opaque(value)
        # An array may hold itself.
        if id(value) in self._open:
            return opaque(value)
        self._open.add(id(value))
        try:
            return self._encode(form.value, depth)
        finally:
            self._open.discard(id(value))

    def _encode_bytes(self, value: Buffer) -> Any:
        # A view may have gaps, or be of numbers.
        self.buffers.append(value if type(value) is bytes else bytes(value))
        index = len(self.buffers) - 1
        numbers = _numbers_in(value) if type(value) is memoryview else None
        return {"$bytes": index} if numbers is None else {"$array": [numbers, index]}

    def _encode_container(self, value: object, kind: type[Any], depth: int) -> Any:
        if depth >= MAX_DEPTH or id(value) in self._open:
            return opaque(value)
        self._open.add(id(value))
        try:
            return self._encode_items(value, kind, depth + 1)
        finally:
            self._open.discard(id(value))

    def _encode_items(self, value: object, kind: type[Any], depth: int) -> Any:
        fields = _fields_of(value)
        if fields is not None:
            return {
                "$object": [
                    kind.__name__,
                    {name: self._encode(item, depth) for name, item in fields.items()},
                ]
            }
        if issubclass(kind, list):
            return [self._encode(item, depth) for item in _of_list(value)]
        if issubclass(kind, tuple):
            return {"$tuple": [self._encode(item, depth) for item in _of_tuple(value)]}
        if issubclass(kind, set):
            return {"$set": [self._encode(item, depth) for item in _of_set(value)]}
        if issubclass(kind, frozenset):
            return {"$set": [self._encode(item, depth) for item in _of_frozenset(value)]}
        if issubclass(kind, dict):
            return self._encode_dict(value, depth)
        if issubclass(kind, int):
            return _encode_int(int.__index__(cast("int", value)))
        if issubclass(kind, float):
            return _encode_float(float.__float__(cast("float", value)))
        if issubclass(kind, str):
            return _text_of(value)
        form = plain_form(value) if self._converts else None
        return opaque(value) if form is None else self._encode(form.value, depth)

    def _encode_dict(self, value: object, depth: int) -> Any:
        items = list(_of_dict(value))
        if not all(issubclass(type(key), str) for key, _ in items):
            return {
                "$map": [
                    [self._encode(key, depth), self._encode(item, depth)] for key, item in items
                ]
            }
        wire = {_text_of(key): self._encode(item, depth) for key, item in items}
        if len(wire) == 1 and next(iter(wire)).startswith("$"):
            return {"$dict": wire}
        return wire


def encode(value: object, *, converts: bool = False) -> tuple[str, list[Buffer]]:
    """Encode ``value``; what has no counterpart becomes ``{repr, type}``.

    Args:
        value: Anything.
        converts: Objects with an obvious plain form (a path, a range) cross as that, as
            arguments do.

    Raises:
        ValueNotTransferableError: It holds an array or a table that is too large, or of complex
            numbers. Only where it ``converts``; in other values such an object is ``{repr, type}``.
    """
    if _is_plain(value, 0):
        return write_json(value), []
    encoder = Encoder(converts=converts)
    return encoder.text(value), encoder.buffers


def _is_plain(value: object, depth: int) -> bool:
    """Whether JSON alone says it, as for the arguments of most calls. Subclasses do not count."""
    kind = type(value)
    if value is None or kind is str or kind is bool:
        return True
    if kind is int:
        return -_LARGEST_EXACT <= cast(int, value) <= _LARGEST_EXACT
    if kind is float:
        return math.isfinite(cast(float, value))
    if depth >= MAX_DEPTH:
        return False
    if kind is dict:
        fields = cast("dict[object, object]", value)
        if len(fields) == 1:
            [key] = fields
            if type(key) is not str or key.startswith("$"):
                return False
        for key, item in fields.items():
            if type(key) is not str or not _is_plain(item, depth + 1):
                return False
        return True
    if kind is list:
        return all(_is_plain(item, depth + 1) for item in cast("list[object]", value))
    return False


def opaque(value: object) -> Any:
    """What stands for a value that cannot cross."""
    return {"$opaque": [safe_repr(value), type(value).__name__]}


def safe_repr(value: object) -> str:
    """``repr`` that cannot fail and stays short: a broken ``__repr__`` must not cost the result."""
    try:
        text = _text_of(repr(value))
    except Exception as error:  # noqa: BLE001 - whatever a foreign __repr__ raises
        text = f"<{type(value).__name__} whose repr() raised {type(error).__name__}>"
    return shorten(text, _REPR_LIMIT, f"… [{len(text)} characters]")


def _encode_int(value: int) -> Any:
    return value if -_LARGEST_EXACT <= value <= _LARGEST_EXACT else {"$int": hex(value)}


def _encode_float(value: float) -> Any:
    return value if math.isfinite(value) else {"$float": str(value)}


def _encode_time(
    value: datetime.datetime | datetime.date | datetime.time | datetime.timedelta,
) -> list[str]:
    if isinstance(value, datetime.datetime):
        zone = getattr(value.tzinfo, "key", None)
        text = value.isoformat()
        return ["datetime", text, zone] if isinstance(zone, str) else ["datetime", text]
    if isinstance(value, datetime.date):
        return ["date", value.isoformat()]
    if isinstance(value, datetime.time):
        return ["time", value.isoformat()]
    return ["timedelta", str(value // datetime.timedelta(microseconds=1))]


def _numbers_in(view: memoryview) -> str | None:
    """What numbers a view is of, ``float64`` for instance; None where it is of bytes.

    Of what JavaScript has no typed array for (complex numbers, records, numbers whose bytes
    are in the other order) the bytes cross.
    """
    order, letter = view.format[:-1], view.format[-1:]
    kind = _NUMBER_KINDS.get(letter)
    if kind is None or order not in _NATIVE_ORDER or view.itemsize > 8:
        return None
    return f"{kind}{8 * view.itemsize}"


def _fields_of(value: object) -> dict[str, object] | None:
    """The named fields of a dataclass, a named tuple or a pydantic model; None for the rest."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    kind: Any = type(cast("object", value))
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return dict(zip(kind._fields, cast("tuple[object, ...]", value), strict=False))
    # Pydantic models, recognised without importing pydantic.
    if hasattr(kind, "model_fields") and hasattr(kind, "model_dump"):
        model = cast("Any", value)
        return {name: getattr(model, name) for name in kind.model_fields}
    return None


def decode(text: str, buffers: Sequence[bytes]) -> Any:
    """Decode wire text.

    Raises:
        RPCTransportError: The text is not what the codec writes.
    """
    try:
        wire = read_json(text)
        return _revive(wire, buffers) if '"$' in text else wire
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise RPCTransportError(f"The page sent a malformed value: {error}") from error


def _revive(wire: Any, buffers: Sequence[bytes]) -> Any:
    if isinstance(wire, list):
        return [_revive(item, buffers) for item in cast("list[object]", wire)]
    if not isinstance(wire, dict):
        return wire
    fields = cast("dict[str, Any]", wire)
    if len(fields) == 1:
        [(tag, content)] = fields.items()
        if tag.startswith("$"):
            return _REVIVERS[tag](content, buffers)
    return {key: _revive(item, buffers) for key, item in fields.items()}


def _revive_set(content: Any, buffers: Sequence[bytes]) -> object:
    """A set, or the list of its members where Python cannot hash one of them."""
    members = [_revive(item, buffers) for item in content]
    try:
        return {_frozen(member) for member in members}
    except TypeError:
        return members


def _revive_map(content: Any, buffers: Sequence[bytes]) -> object:
    """A dict, or the list of its pairs where Python cannot hash one of the keys."""
    pairs = [(_revive(key, buffers), _revive(item, buffers)) for key, item in content]
    try:
        return {_frozen(key): item for key, item in pairs}
    except TypeError:
        return pairs


def _frozen(key: Any) -> Any:
    """A set is a frozen one where it is a member of a set, or a key."""
    return frozenset(cast("set[object]", key)) if isinstance(key, set) else key


def _revive_time(content: list[str], _buffers: Sequence[bytes]) -> object:
    kind, text, *zone = content
    if kind == "datetime":
        moment = datetime.datetime.fromisoformat(text)
        return _in_zone(moment, zone[0]) if zone else moment
    if kind == "date":
        return datetime.date.fromisoformat(text)
    if kind == "time":
        return datetime.time.fromisoformat(text)
    if kind == "timedelta":
        return datetime.timedelta(microseconds=int(text))
    raise ValueError(f"unknown kind of time {kind!r}")


def _in_zone(moment: datetime.datetime, key: str) -> datetime.datetime:
    """Give the zone its name back; the fixed offset stays where the zone data is not installed."""
    import zoneinfo

    try:
        return moment.astimezone(zoneinfo.ZoneInfo(key))
    except zoneinfo.ZoneInfoNotFoundError:
        return moment


_REVIVERS: dict[str, Callable[[Any, Sequence[bytes]], Any]] = {
    "$tuple": lambda content, buffers: tuple(_revive(item, buffers) for item in content),
    "$set": _revive_set,
    "$map": _revive_map,
    "$dict": lambda content, buffers: {
        key: _revive(item, buffers) for key, item in content.items()
    },
    "$bytes": lambda content, buffers: buffers[int(content)],
    "$int": lambda content, _buffers: int(content, 16),
    "$float": lambda content, _buffers: float(content),
    "$time": _revive_time,
    "$content": lambda content, buffers: Content(*(_revive(item, buffers) for item in content)),
}
