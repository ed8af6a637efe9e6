"""The exceptions that session code can catch.

Each namespace has its class (``ToolError``, ``SkillError``, ``ArtifactError``,
``DepsError``), and each specific class inherits it. All are ``RuntimeError``
too, because code written for hosts that lose the class catches that.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence
from typing import override


class RPCError(RuntimeError):
    """Root of everything that can go wrong between Python and the page.

    Attributes:
        code: Vitrine's code of the error, the same in every release.
        details: What the page sent beside the message. Each is an attribute as well.
    """

    code: str = ""
    details: Mapping[str, object] = {}


class RPCTransportError(RPCError):
    """The page answered with something that is not part of the protocol, or not at all."""


class NamespaceError(RPCError):
    """A call of ``tools``, ``skills``, ``artifacts`` or ``deps`` failed.

    Attributes:
        namespace: Which of the four.
        operation: The method that was called, ``load`` for instance.
        original_type: The class of the error where it happened.
    """

    namespace: str = ""
    operation: str = ""
    original_type: str = ""


class CallLimitError(NamespaceError):
    """The run asked for more than its limits allow. What was refused did not happen."""

    limit: int = 0


class CallBudgetError(CallLimitError):
    """The run has made all the calls that it may make."""


class OpenCallsError(CallLimitError):
    """Too many calls wait for their answer at once."""


class NestingDepthError(CallLimitError, RecursionError):
    """Calls are made too deep inside one another."""


ToolRecursionError = NestingDepthError


class ImportNotAllowedError(RPCError, ImportError):
    """The session does not allow this import.

    Attributes:
        module: What was to be imported.
        line: Where in the code; None when that is not known.
        allowed: The modules that may be imported; None when others than these few may.
    """

    code = "IMPORT_NOT_ALLOWED"
    module: str = ""
    line: int | None = None
    allowed: Sequence[str] | None = None


class ToolError(NamespaceError):
    """A call of a tool failed."""

    tool_name: str = ""
    _called: str = ""

    @property
    def tool(self) -> str:
        """What was called: ``weather``, ``github.get_repo``."""
        return self._called or self.tool_name

    @property
    def message(self) -> str:
        """What is wrong, as text."""
        return str(self)


class ToolNotFoundError(ToolError, AttributeError):
    """No such tool, or it is out of this session's scope."""

    available_tools: Sequence[str] = ()


class ToolCallError(ToolError):
    """The tool ran and failed.

    What more is known depends on the tool: ``status`` and ``body`` of an HTTP
    answer, ``exit_code`` and ``stdout`` of a command.
    """

    tool_args: Mapping[str, object] = {}
    cause: object = None
    status: int | None = None
    body: object = None
    exit_code: int | None = None
    stdout: str = ""


class ToolArgumentError(ToolCallError, TypeError):
    """The arguments do not fit the tool. Nothing was called."""

    parameter: str = ""


class CorsError(ToolCallError):
    """The server does not let web pages read its answer.

    Attributes:
        host: The server.
        missing_headers: What it would have to send, as far as that can be known.
    """

    host: str = ""
    missing_headers: Sequence[str] = ()


class ResponseTooLargeError(ToolCallError):
    """The service answered with more bytes than the tool takes."""

    limit: int = 0


class ToolTimeoutError(ToolError, TimeoutError):
    """The tool outlived its own limit."""

    timeout_seconds: float = 0


class ToolNotAllowedError(ToolCallError):
    """The session's policy, or a person, said no. Nothing was called."""


class ToolUnavailableError(ToolError):
    """The tool needs something that a browser does not have; the message says what to do."""

    remedy: str = ""


class ToolDefinitionError(ToolError, TypeError):
    """The function cannot be a tool: it lacks a type hint, for instance. Nothing was registered."""

    code = "TOOL_DEFINITION"


class SecretNotFoundError(ToolError):
    """The tool needs a secret that the person at the page has not given. Nothing was called."""

    secret_name: str = ""


class SkillError(NamespaceError):
    """A call of ``skills`` failed. Errors raised by a skill's own code keep their class."""


WorkflowError = SkillError


class SkillNotFoundError(SkillError, ValueError):
    """No such skill."""

    skill_name: str = ""


class SkillValidationError(SkillError, ValueError):
    """The name or the source cannot make a skill. Nothing was stored."""


class SkillsFullError(SkillError):
    """There is no room for another skill. Nothing was stored."""


class SkillSyntaxError(SkillError, SyntaxError):
    """The source of a skill is not Python. Nothing was stored."""

    @override
    def __str__(self) -> str:
        # SyntaxError would add file and line, and once more each time the text crosses.
        return self.msg


class SkillExecutionError(SkillError):
    """A skill that a tool ran failed; ``original_type`` is the class of its error."""


class ArtifactError(NamespaceError):
    """A call of ``artifacts`` failed."""

    artifact_name: str = ""


class ArtifactNotFoundError(ArtifactError):
    """No artifact of that name."""


class ArtifactNameError(ArtifactError, ValueError):
    """The name cannot name an artifact: empty, reserved, or a path out of the store."""


class ArtifactDataError(ArtifactError, TypeError):
    """The data, or the metadata, cannot be stored. The artifact is as it was before."""


class ArtifactsFullError(ArtifactError):
    """All artifacts together would be too large, or too many. Nothing was changed."""

    size: int = 0
    limit: int = 0


class ArtifactWriteError(ArtifactError):
    """The artifact could not be written. The old one is still readable."""

    reason: str = ""


class DepsError(NamespaceError):
    """A package could not be had; the message says why."""

    package: str = ""
    reason: str = ""


class DepSpecError(DepsError, ValueError):
    """Not a package specification that may be used here. Nothing was stored."""

    spec: str = ""


class DepsFullError(DepsError):
    """The list is full, or packages would unpack to more than they may. Nothing was stored."""

    spec: str = ""


class RuntimeDepsDisabledError(DepsError):
    """This session's packages are fixed."""


class StorageError(NamespaceError):
    """The session's storage failed. What was stored before is still there."""

    path: str = ""


class StorageReadError(StorageError):
    """Something stored could not be read."""


class StorageWriteError(StorageError):
    """Nothing was written."""


class StorageFullError(StorageWriteError):
    """The browser gives the session no more room. Nothing was written."""


class StorageBlockedError(StorageError):
    """The browser does not let this page store anything, or another tab is in the way."""


class StorageClosedError(StorageError):
    """The session's storage was closed."""


class StorageFormatError(StorageError):
    """Another release of Vitrine wrote the session's storage. Nothing was changed."""

    storage: str = ""


def name_call(error: ToolError, called: str) -> None:
    """Say which call of a tool failed, where the error does not say so yet."""
    if not error._called:
        error._called = called


def _with_subclasses(root: type[RPCError]) -> dict[str, type[RPCError]]:
    classes = {root.__name__: root}
    for subclass in root.__subclasses__():
        classes |= _with_subclasses(subclass)
    return classes


PUBLIC_ERRORS: Mapping[str, type[RPCError]] = {
    **_with_subclasses(RPCError),
    "ToolRecursionError": ToolRecursionError,
    "WorkflowError": WorkflowError,
}
"""Every class of this module by the name that session code uses."""

for _class in PUBLIC_ERRORS.values():
    # As tracebacks name it, so it can be caught: session code finds these among the builtins.
    _class.__module__ = "builtins"


def install_errors() -> None:
    """Make the classes builtins, so that ``except ToolTimeoutError`` needs no import."""
    for name, kind in PUBLIC_ERRORS.items():
        setattr(builtins, name, kind)


__all__ = [
    "ArtifactDataError",
    "ArtifactError",
    "ArtifactNameError",
    "ArtifactNotFoundError",
    "ArtifactWriteError",
    "ArtifactsFullError",
    "CallBudgetError",
    "CallLimitError",
    "CorsError",
    "DepSpecError",
    "DepsError",
    "DepsFullError",
    "ImportNotAllowedError",
    "NamespaceError",
    "NestingDepthError",
    "OpenCallsError",
    "RPCError",
    "RPCTransportError",
    "ResponseTooLargeError",
    "RuntimeDepsDisabledError",
    "SecretNotFoundError",
    "SkillError",
    "SkillExecutionError",
    "SkillNotFoundError",
    "SkillSyntaxError",
    "SkillValidationError",
    "SkillsFullError",
    "StorageBlockedError",
    "StorageClosedError",
    "StorageError",
    "StorageFormatError",
    "StorageFullError",
    "StorageReadError",
    "StorageWriteError",
    "ToolArgumentError",
    "ToolCallError",
    "ToolDefinitionError",
    "ToolError",
    "ToolNotAllowedError",
    "ToolNotFoundError",
    "ToolRecursionError",
    "ToolTimeoutError",
    "ToolUnavailableError",
    "WorkflowError",
]
