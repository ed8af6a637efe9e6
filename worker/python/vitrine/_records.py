"""What ``list``, ``search`` and ``get`` return: objects that are dicts as well.

Code written for one host reads ``tool.name``, for another ``tool["name"]``; here
both work. An item is plain data, so ``json.dumps`` takes a record as it is; the
attribute of the same name may be the richer type (a set, a datetime).
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from typing import Any, Self, cast, override

from vitrine._errors import RPCTransportError

type Fields = Mapping[str, object]


class Record(dict[str, Any]):
    """A dict whose items can be read as attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            message = f"{type(self).__name__} has no field {name!r}. It has: {', '.join(self)}"
            raise AttributeError(message) from None

    @override
    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is read-only: cannot set {name!r}.")

    @override
    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self]

    @override
    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self)
        return f"{type(self).__name__}({fields})"

    def to_dict(self) -> dict[str, Any]:
        """A copy as plain dicts and lists."""
        return {name: _plain(value) for name, value in self.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, list):
        return [_plain(item) for item in cast("list[Any]", value)]
    return value


class ToolParameter(Record):
    """One parameter: ``name``, ``type``, ``required``, ``default``, ``description``.

    Attributes:
        alias: The name as a Python identifier.
        python_type: The type as Python writes it.
    """

    alias: str
    python_type: str

    @classmethod
    def from_wire(cls, wire: object) -> Self:
        """Read what the page sent."""
        fields = wire_fields(wire, "a parameter")
        parameter = cls(_parameter_fields(fields))
        parameter.__dict__.update(
            alias=wire_text(fields, "alias"), python_type=wire_text(fields, "python_type")
        )
        return parameter


class ToolCallable(Record):
    """One way to call a tool: ``name``, ``description``, ``parameters``.

    Attributes:
        alias: The name as a Python identifier.
        typed: Whether there are types that the signature has no room for.
        returns: The type of the result as Python writes it; empty where nothing is known of it.
    """

    alias: str
    typed: bool
    returns: str
    _signature: str

    @classmethod
    def from_wire(cls, wire: object) -> Self:
        """Read what the page sent."""
        fields = wire_fields(wire, "a callable")
        parameters = wire_items(fields.get("parameters"))
        found = cls(
            name=wire_text(fields, "name"),
            description=wire_text(fields, "description"),
            parameters=[ToolParameter.from_wire(item) for item in parameters],
        )
        found.__dict__.update(
            alias=wire_text(fields, "alias"),
            typed=fields.get("typed") is True,
            returns=str(fields.get("returns") or ""),
            _signature=wire_text(fields, "signature"),
        )
        return found

    @override
    def __repr__(self) -> str:
        return f"{self.signature()}: {self.description}" if self.description else self.signature()

    def signature(self) -> str:
        """How to call it: ``get(*, url: str, limit: int = 10)``, required parameters first."""
        return self._signature


class Tool(Record):
    """A tool: ``name``, ``description``, ``tags``, ``callables``.

    Attributes:
        alias: The name as a Python identifier.
        dynamic: Whether its callables are known only once it is connected.
        more: How many callables it has beside those that ``callables`` holds.
        on_files: Whether its paths are those of the code's own files.
    """

    alias: str
    dynamic: bool
    more: int
    on_files: bool

    @classmethod
    def from_wire(cls, wire: object) -> Self:
        """Read what the page sent."""
        fields = wire_fields(wire, "a tool")
        tool = cls(
            name=wire_text(fields, "name"),
            description=wire_text(fields, "description"),
            tags=sorted(str(tag) for tag in wire_items(fields.get("tags"))),
            callables=[
                ToolCallable.from_wire(item) for item in wire_items(fields.get("callables"))
            ],
        )
        more = fields.get("more")
        tool.__dict__.update(
            alias=wire_text(fields, "alias"),
            dynamic=fields.get("dynamic") is True,
            more=more if isinstance(more, int) else 0,
            on_files=fields.get("on_files") is True,
        )
        return tool

    @property
    def tags(self) -> frozenset[str]:
        """As a set; the item is a sorted list."""
        return frozenset(self["tags"])

    @property
    def callables(self) -> tuple[ToolCallable, ...]:
        """As a tuple; the item is a list."""
        return tuple(self["callables"])

    @override
    def __repr__(self) -> str:
        head = f"{self.name}: {self.description}" if self.description else f"{self.name}:"
        return "\n  ".join([head, *(repr(item) for item in self.callables), *self.left()])

    def signatures(self) -> list[str]:
        """The signatures of its callables."""
        return [item.signature() for item in self.callables]

    def left(self) -> list[str]:
        """A line that says how many callables are not told of, if there are any."""
        if self.more <= 0:
            return []
        return [f'… and {self.more} more; tools.search("words") finds the right one.']


class SearchResults(list[Tool]):
    """The best matches, and in ``more`` how many others there are."""

    def __init__(self, tools: Iterable[Tool], more: int) -> None:
        super().__init__(tools)
        self.more = more

    @override
    def __repr__(self) -> str:
        shown = super().__repr__()
        return shown if self.more <= 0 else f"{shown}\n… and {self.more} more; raise `limit`."


class SkillParameter(Record):
    """One parameter of a skill, as ``ToolParameter``; ``type`` is of JSON Schema."""


class Skill(Record):
    """A skill: ``name``, ``description``, ``params``; also ``score`` where it was searched for.

    ``params`` maps each parameter to its description, or to its type where the
    author described nothing.
    """

    @classmethod
    def from_wire(cls, wire: object) -> Self:
        """Read what the page sent, as it is listed."""
        fields = wire_fields(wire, "a skill")
        parameters = _skill_parameters(fields)
        skill = cls(
            name=wire_text(fields, "name"),
            description=wire_text(fields, "description"),
            params={item.name: item.description or item.type for item in parameters},
        )
        score = fields.get("score")
        return cls(skill, score=score) if isinstance(score, (int, float)) else skill

    @classmethod
    def with_source(cls, wire: object) -> Self:
        """Read what the page sent, with ``source`` and the full ``parameters``."""
        fields = wire_fields(wire, "a skill")
        skill = cls.from_wire(wire)
        skill.pop("score", None)
        skill.update(source=wire_text(fields, "source"), parameters=_skill_parameters(fields))
        return skill


class Artifact(Record):
    """What is known of an artifact without loading it.

    ``name``, ``path``, ``description``, ``metadata``, ``created_at`` (an aware
    datetime in UTC; as an item its ISO 8601 text), ``size`` (bytes) and ``kind``
    (``json``, ``text`` or ``bytes``).
    """

    @classmethod
    def from_wire(cls, wire: object) -> Self:
        """Read what the page sent."""
        fields = wire_fields(wire, "an artifact")
        metadata = wire_fields(fields.get("metadata"), "the metadata of an artifact")
        created_at, size = fields.get("createdAt"), fields.get("size")
        if not isinstance(created_at, datetime.datetime) or not isinstance(size, int):
            raise RPCTransportError("The page sent an artifact without its time or size.")
        return cls(
            name=wire_text(fields, "name"),
            path=wire_text(fields, "path"),
            description=wire_text(fields, "description"),
            # A store written by py-code-mode keeps the kind there.
            metadata={key: value for key, value in metadata.items() if key != "_data_type"},
            created_at=created_at.astimezone(datetime.UTC).isoformat(),
            size=size,
            kind=wire_text(fields, "kind"),
        )

    @property
    def created_at(self) -> datetime.datetime:
        """When it was saved last; the item is ISO 8601 text."""
        return datetime.datetime.fromisoformat(self["created_at"])


class SyncResult(Record):
    """What became of each package: ``installed``, ``already_present`` and ``failed``.

    ``reasons`` says for each failed one why.
    """

    def __init__(
        self,
        installed: Iterable[str] = (),
        already_present: Iterable[str] = (),
        reasons: Mapping[str, str] | None = None,
    ) -> None:
        why = dict(reasons or {})
        super().__init__(
            installed=sorted(set(installed)),
            already_present=sorted(set(already_present)),
            failed=sorted(why),
            reasons=why,
        )

    @property
    def installed(self) -> set[str]:
        """As a set; the item is a sorted list."""
        return set(self["installed"])

    @property
    def already_present(self) -> set[str]:
        """As a set; the item is a sorted list."""
        return set(self["already_present"])

    @property
    def failed(self) -> set[str]:
        """As a set; the item is a sorted list."""
        return set(self["failed"])


def wire_fields(wire: object, what: str) -> Fields:
    """Check that the page sent an object.

    Raises:
        RPCTransportError: It did not.
    """
    if not isinstance(wire, dict):
        raise RPCTransportError(f"The page sent {type(wire).__name__} for {what}.")
    return cast("Fields", wire)


def wire_items(wire: object) -> list[object]:
    """Check that the page sent an array.

    Raises:
        RPCTransportError: It did not.
    """
    if not isinstance(wire, (list, tuple, set)):
        raise RPCTransportError(f"The page sent {type(wire).__name__} where a list was expected.")
    return list(cast("Iterable[object]", wire))


def wire_text(fields: Fields, key: str) -> str:
    """Read a string of an object that the page sent.

    Raises:
        RPCTransportError: It is not there, or no string.
    """
    value = fields.get(key)
    if not isinstance(value, str):
        raise RPCTransportError(f"The page sent no text for {key!r}.")
    return value


def _skill_parameters(fields: Fields) -> list[SkillParameter]:
    items = wire_items(fields.get("parameters"))
    return [SkillParameter(_parameter_fields(wire_fields(item, "a parameter"))) for item in items]


def _parameter_fields(fields: Fields) -> Fields:
    return {
        "name": wire_text(fields, "name"),
        "type": wire_text(fields, "type"),
        "required": fields.get("required") is True,
        "default": fields.get("default"),
        "description": wire_text(fields, "description"),
    }


__all__ = [
    "Artifact",
    "Record",
    "SearchResults",
    "Skill",
    "SkillParameter",
    "SyncResult",
    "Tool",
    "ToolCallable",
    "ToolParameter",
]
