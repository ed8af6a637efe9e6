"""Type hints as JSON Schema, and values of JSON as what type hints say."""

from __future__ import annotations

import collections.abc
import datetime
import enum
import inspect
import math
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from vitrine._errors import ToolDefinitionError

type Schema = dict[str, Any]

_SCALARS: Mapping[object, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    None: {"type": "null"},
    types.NoneType: {"type": "null"},
    # JSON has none of these; the bridge carries them, and others write them as text.
    bytes: {"type": "string", "format": "binary"},
    datetime.datetime: {"type": "string", "format": "date-time"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.time: {"type": "string", "format": "time"},
}
_SEQUENCES: tuple[object, ...] = (
    list,
    set,
    frozenset,
    collections.abc.Sequence,
    collections.abc.Iterable,
    collections.abc.Collection,
    collections.abc.Set,
)
_MAPPINGS: tuple[object, ...] = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_STARRED = {
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}


class TypedSignature:
    """The signature of a function, all of whose hints are there and can be resolved.

    Attributes:
        signature: As Python writes it.
        hints: The type of each parameter, and of ``return``.
    """

    def __init__(self, function: Callable[..., object], name: str) -> None:
        self.signature = inspect.signature(function)
        for parameter in self.signature.parameters.values():
            if parameter.annotation is inspect.Parameter.empty:
                raise ToolDefinitionError(
                    f"Missing type hint for parameter '{parameter.name}' in {name}"
                )
            stars = _STARRED.get(parameter.kind)
            if stars is not None:
                raise ToolDefinitionError(
                    f"Parameter '{stars}{parameter.name}' in {name} has no name of its own: "
                    "a tool takes a list or a dict instead"
                )
        if self.signature.return_annotation is inspect.Signature.empty:
            raise ToolDefinitionError(f"Missing return type annotation for {name}")
        try:
            self.hints = typing.get_type_hints(function, include_extras=True)
        except (NameError, TypeError, SyntaxError, AttributeError) as error:
            raise ToolDefinitionError(
                f"The type hints of {name} cannot be resolved: {error}"
            ) from error

    def input_schema(self) -> Schema:
        """The schema of all arguments together."""
        properties: Schema = {}
        required: list[str] = []
        for name, parameter in self.signature.parameters.items():
            schema = schema_of(self.hints[name])
            if parameter.default is inspect.Parameter.empty:
                required.append(name)
            else:
                schema = schema | _default(parameter.default)
            properties[name] = schema
        return {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }

    def output_schema(self) -> Schema | None:
        """The schema of the result; None where the hint says nothing about it."""
        hint = self.hints["return"]
        return schema_of(hint) if _has_schema(hint) else None

    def bind(self, arguments: Mapping[str, object]) -> inspect.BoundArguments:
        """The arguments as the function takes them, made what its hints say.

        Raises:
            TypeError: One is missing, or the function has no parameter of that name.
        """
        positional: list[object] = []
        named = {name: fitted(value, self.hints.get(name)) for name, value in arguments.items()}
        for name, parameter in self.signature.parameters.items():
            if parameter.kind is not inspect.Parameter.POSITIONAL_ONLY or name not in named:
                break
            positional.append(named.pop(name))
        return self.signature.bind(*positional, **named)


def schema_of(hint: object) -> Schema:
    """The JSON Schema of a type hint; a class of which nothing is known is an object."""
    return _schema_of(hint, frozenset())


def _schema_of(hint: object, within: frozenset[int]) -> Schema:
    plain, said = _unwrapped(hint)
    if id(hint) in within:
        # A type that consists of itself.
        return {}
    within |= {id(hint)}
    schema = _schema_of_plain(plain, within)
    return schema | {"description": said} if said else schema


def _schema_of_plain(hint: object, within: frozenset[int]) -> Schema:
    if isinstance(hint, collections.abc.Hashable) and hint in _SCALARS:
        return dict(_SCALARS[hint])
    if hint is Any or hint is object:
        return {}
    origin, arguments = typing.get_origin(hint) or hint, typing.get_args(hint)
    if origin is typing.Literal:
        return _choice(arguments)
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_schema_of(each, within) for each in arguments]}
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return _choice([member.value for member in hint])
    if origin is tuple and not (len(arguments) == 2 and arguments[1] is Ellipsis):
        return _fixed(arguments, within)
    if origin is tuple or origin in _SEQUENCES:
        return (
            {"type": "array", "items": _schema_of(arguments[0], within)}
            if arguments
            else dict(_ARRAY)
        )
    if origin in _MAPPINGS:
        if len(arguments) < 2:
            return {"type": "object"}
        return {"type": "object", "additionalProperties": _schema_of(arguments[1], within)}
    return {"type": "object"}


_ARRAY: Schema = {"type": "array"}


def _fixed(members: Sequence[object], within: frozenset[int]) -> Schema:
    """A tuple of so many members: an array of any of their types."""
    if not members:
        return dict(_ARRAY)
    schemas: list[Schema] = []
    for member in members:
        schema = _schema_of(member, within)
        if schema not in schemas:
            schemas.append(schema)
    items = schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
    return {"type": "array", "items": items, "minItems": len(members), "maxItems": len(members)}


def _choice(values: Sequence[object]) -> Schema:
    try:
        plain = [_json(value, 0) for value in values]
    except _NoJson:
        return {}
    kinds = {type(value) for value in plain}
    scalar = _SCALARS.get(next(iter(kinds))) if len(kinds) == 1 else None
    return {"enum": plain} if scalar is None else scalar | {"enum": plain}


def _unwrapped(hint: object) -> tuple[object, str]:
    """The type behind aliases and annotations, and what an annotation says of it in words."""
    said = ""
    for _ in range(20):
        if isinstance(hint, typing.TypeAliasType):
            hint = hint.__value__
        elif isinstance(hint, typing.NewType):
            hint = hint.__supertype__
        elif typing.get_origin(hint) is typing.Annotated:
            metadata = cast("tuple[object, ...]", getattr(hint, "__metadata__"))
            words = [each for each in metadata if isinstance(each, str)]
            said = said or (words[0] if words else "")
            hint = getattr(hint, "__origin__")
        else:
            break
    return hint, said


def _has_schema(hint: object) -> bool:
    plain, _ = _unwrapped(hint)
    schema = schema_of(plain)
    if schema == {"type": "object"}:
        return plain is dict
    return schema != {}


class _NoJson(Exception):  # noqa: N818 - it never leaves this module
    """A default that JSON cannot hold."""


def _default(value: object) -> Schema:
    """A default as a keyword of a schema; nothing where it cannot be written down."""
    try:
        return {"default": _json(value, 0)}
    except _NoJson:
        return {}


def _json(value: object, depth: int) -> object:
    if depth > 20:
        raise _NoJson
    if isinstance(value, enum.Enum):
        return _json(value.value, depth)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _NoJson
        return value
    if isinstance(value, list | tuple | set | frozenset):
        return [_json(item, depth + 1) for item in cast("Sequence[object]", value)]
    if isinstance(value, dict):
        fields = cast("dict[object, object]", value)
        if not all(isinstance(key, str) for key in fields):
            raise _NoJson
        return {key: _json(item, depth + 1) for key, item in fields.items()}
    raise _NoJson


def fitted(value: object, hint: object) -> object:
    """``value`` as its hint means it: ``"red"`` as ``Color.RED``, a list as a set.

    JSON has no enums, tuples and sets, and no difference between 1 and 1.0. What cannot be
    made what the hint says stays as it is: whether it fits was judged before.
    """
    return _fitted(value, hint, 0)


def _fitted(value: object, hint: object, depth: int) -> object:
    if depth > 50:
        return value
    plain, _ = _unwrapped(hint)
    if plain is float:
        return float(value) if type(value) is int else value
    if isinstance(plain, type) and issubclass(plain, enum.Enum):
        return _member(plain, value)
    origin = cast("object", typing.get_origin(plain) or plain)
    arguments = typing.get_args(plain)
    if origin is typing.Union or origin is types.UnionType:
        return _alternative(value, arguments, depth)
    if isinstance(value, list | tuple | set | frozenset):
        return _collection(cast("Sequence[object]", value), origin, arguments, depth)
    if isinstance(value, dict) and origin in _MAPPINGS and len(arguments) == 2:
        return _mapping(cast("dict[object, object]", value), arguments[1], depth)
    return cast("object", value)


def _mapping(fields: dict[object, object], hint: object, depth: int) -> object:
    return {key: _fitted(item, hint, depth + 1) for key, item in fields.items()}


def _member(kind: type[enum.Enum], value: object) -> object:
    try:
        return kind(value)
    except ValueError:
        return value


def _alternative(value: object, hints: Sequence[object], depth: int) -> object:
    plain = [_unwrapped(hint)[0] for hint in hints]
    if type(value) in plain or value is None:
        return value
    for hint in plain:
        made = _fitted(value, hint, depth + 1)
        if type(made) is not type(value):
            return made
    return value


def _collection(
    items: Sequence[object], origin: object, hints: Sequence[object], depth: int
) -> object:
    if origin is tuple:
        fixed = hints if not (len(hints) == 2 and hints[1] is Ellipsis) else [hints[0]] * len(items)
        known = [*fixed, *[None] * len(items)]
        return tuple(
            _fitted(item, hint, depth + 1) for item, hint in zip(items, known, strict=False)
        )
    made = [_fitted(item, hints[0], depth + 1) for item in items] if hints else list(items)
    try:
        if origin is set or origin is collections.abc.Set:
            return set(made)
        if origin is frozenset:
            return frozenset(made)
    except TypeError:
        return items
    # What the hint does not name stays what it is.
    return made if origin is list or isinstance(items, list) else items


__all__ = ["Schema", "TypedSignature", "fitted", "schema_of"]
