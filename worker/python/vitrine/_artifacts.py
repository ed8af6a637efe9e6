"""The namespace ``artifacts``: named results that outlive the run."""

from __future__ import annotations

from collections.abc import Buffer, Mapping
from json import dumps, loads
from typing import Any, ClassVar, Final, cast, override

from vitrine._arguments import require_text
from vitrine._artifact_files import ArtifactFiles, bytes_of, kind_of_file, value_of
from vitrine._errors import ArtifactDataError, ArtifactNotFoundError, RPCTransportError
from vitrine._operation import Caller, Namespace, Request, Steps, operation, run_steps
from vitrine._packages import package_form
from vitrine._plain_forms import PlainForm
from vitrine._records import Artifact, wire_fields, wire_items, wire_text

_KINDS = frozenset({"json", "text", "bytes"})

# The method called `list` hides the builtin in the annotations of its class.
type Artifacts = list[Artifact]
type Metadata = dict[str, Any]


class _Missing:
    @override
    def __repr__(self) -> str:
        return "<raise>"


_MISSING: Final = _Missing()

# Characters. Longer text goes to the page as bytes, of which it takes more than of text.
_LONGEST_TEXT: Final = 1_000_000


class ArtifactsNamespace(Namespace):
    """The artifacts of this session: text, bytes, or anything that JSON holds."""

    _label: ClassVar[str] = "artifacts"

    def __init__(self, bridge: Caller, files: ArtifactFiles | None = None) -> None:
        super().__init__(bridge)
        self._files = files or ArtifactFiles()

    @operation
    def save(
        self, name: str, data: Any, description: str = "", metadata: Metadata | None = None
    ) -> Steps[Artifact]:
        """Store ``data``; an artifact of the same name is replaced.

        Args:
            name: May contain ``/``.
            data: A str is kept as text, bytes as bytes, anything else as JSON: what comes
                back is what JSON makes of it (a tuple is a list, a key is a str).
            description: What it is, for whoever lists artifacts later.
            metadata: Anything JSON holds, returned by ``get`` and ``list``.

        Raises:
            ArtifactDataError: The data is no text, no bytes and cannot be JSON; also a
                TypeError. Nothing was stored.
            ArtifactNameError: The name cannot be used. Nothing was stored.
        """
        require_text("artifacts.save() name", name)
        require_text("artifacts.save() description", description)
        kind, stored = _to_store(name, data)
        return (yield from self._store(name, kind, stored, description, metadata))

    @operation
    def load(self, name: str, default: Any = _MISSING) -> Steps[Any]:
        """The stored data, in the type in which it was saved.

        Raises:
            ArtifactNotFoundError: There is none of that name, and no ``default``.
        """
        require_text("artifacts.load() name", name)
        if self._files.has_own(name):
            return value_of(*kind_of_file(name, self._files.read(name)))
        try:
            return value_of(*(yield from self._fetch(name)))
        except ArtifactNotFoundError:
            if default is _MISSING:
                raise
            return default

    @operation
    def get(self, name: str) -> Steps[Artifact | None]:
        """What is known of an artifact without loading it; None when there is none."""
        require_text("artifacts.get() name", name)
        found = yield Request("artifacts.get", {"name": name})
        return None if found is None else Artifact.from_wire(found)

    @operation
    def list(self) -> Steps[Artifacts]:
        """All artifacts, in the order in which they were first saved."""
        found = yield Request("artifacts.list", {})
        return [Artifact.from_wire(item) for item in wire_items(found)]

    @operation
    def exists(self, name: str) -> Steps[bool]:
        """Whether there is an artifact of that name."""
        require_text("artifacts.exists() name", name)
        return (yield Request("artifacts.exists", {"name": name})) is True

    @operation
    def delete(self, name: str) -> Steps[None]:
        """Delete an artifact; that there is none is no error."""
        require_text("artifacts.delete() name", name)
        yield Request("artifacts.delete", {"name": name})
        self._files.remove(name)

    @operation
    def register(
        self, name: str, description: str, metadata: Metadata | None = None
    ) -> Steps[Artifact]:
        """Describe what is there: an artifact, or a file written under ``artifacts.path``.

        A file becomes an artifact by this and is kept from now on.

        Raises:
            ArtifactNotFoundError: There is neither.
        """
        require_text("artifacts.register() name", name)
        require_text("artifacts.register() description", description)
        if self._files.has_own(name):
            kind, data = kind_of_file(name, self._files.read(name))
            return (yield from self._store(name, kind, data, description, metadata))
        found = yield Request(
            "artifacts.register",
            {"name": name, "description": description, "metadata": _checked(metadata)},
        )
        return Artifact.from_wire(found)

    @property
    def path(self) -> str:
        """A directory in which every artifact is a file, brought up to date on each access.

        Files written there can be loaded by name, but are not listed and do not
        outlive the interpreter until they are registered.
        """
        directory = self._files.open()
        run_steps(self._bridge, self._fill_directory())
        return directory

    @override
    def __repr__(self) -> str:
        return "<artifacts: artifacts.list() shows what there is>"

    def _store(
        self,
        name: str,
        kind: str,
        data: str | bytes,
        description: str,
        metadata: Metadata | None,
    ) -> Steps[Artifact]:
        arguments: dict[str, object] = {
            "name": name,
            "kind": kind,
            "data": bytes_of(data) if len(data) > _LONGEST_TEXT else data,
            "description": description,
            "metadata": _checked(metadata),
        }
        artifact = Artifact.from_wire((yield Request("artifacts.save", arguments)))
        if self._files.in_use:
            self._files.remove(name)
            self._files.keep_copy(name, artifact["created_at"], bytes_of(data))
        return artifact

    def _fetch(self, name: str) -> Steps[tuple[str, Any]]:
        found = yield Request("artifacts.load", {"name": name})
        fields = wire_fields(found, "an artifact")
        kind, data = wire_text(fields, "kind"), fields.get("data")
        if kind not in _KINDS or not isinstance(data, (str, bytes)):
            raise RPCTransportError(f"The page sent artifact {name!r} in a form that is unknown.")
        return kind, data

    def _fill_directory(self) -> Steps[None]:
        found = yield Request("artifacts.list", {})
        artifacts = [Artifact.from_wire(item) for item in wire_items(found)]
        self._files.keep_only({artifact.name for artifact in artifacts})
        for artifact in artifacts:
            version = artifact["created_at"]
            if not self._files.has_copy(artifact.name, version):
                _, data = yield from self._fetch(artifact.name)
                self._files.keep_copy(artifact.name, version, bytes_of(data))


def _to_store(name: str, data: object) -> tuple[str, str | bytes]:
    if isinstance(data, str):
        try:
            data.encode()
        except UnicodeEncodeError as error:
            raise ArtifactDataError(f"Artifact {name!r} cannot be kept as text: {error}") from None
        return "text", data
    if isinstance(data, (bytes, bytearray, memoryview)):
        return "bytes", bytes(cast("Buffer", data))
    return "json", _to_json(name, data)


def _to_json(name: str, data: object) -> str:
    try:
        text = dumps(data, ensure_ascii=False, default=_plain_part)
    except (TypeError, ValueError, RecursionError) as error:
        # A list that holds itself, or a number too long to write, is no less the data's fault.
        reason = str(error).rstrip(".")
        raise ArtifactDataError(
            f"Artifact {name!r} cannot be saved: {reason}. Save text, bytes, or what JSON holds."
        ) from None
    try:
        text.encode()
    except UnicodeEncodeError:
        # A lone surrogate has no UTF-8, but an escape in JSON.
        return dumps(data, default=_plain_part)
    return text


def _plain_part(part: object) -> object:
    """What JSON makes of a number, an array or a table of NumPy and pandas."""
    form = package_form(part, type(part))
    if isinstance(form, PlainForm):
        return form.value
    kind = type(part).__name__
    reason = f"Object of type {kind} is not JSON serializable" if form is None else form.reason
    raise TypeError(reason)


def _checked(metadata: Metadata | None) -> Mapping[str, Any]:
    if metadata is None:
        return {}
    if not isinstance(cast("object", metadata), dict):
        raise TypeError(f"metadata must be a dict, not {type(metadata).__name__}")
    try:
        return loads(dumps(metadata))
    except (TypeError, ValueError, RecursionError) as error:
        raise ArtifactDataError(f"metadata cannot be saved: {error}") from None


__all__ = ["ArtifactsNamespace"]
