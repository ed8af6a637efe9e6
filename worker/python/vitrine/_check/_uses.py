"""How code uses the session's namespaces: which tool, skill or method, with what arguments."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from vitrine import _codec
from vitrine._artifacts import ArtifactsNamespace
from vitrine._check._findings import Findings
from vitrine._check._world import World
from vitrine._deps import DepsNamespace
from vitrine._operation import Namespace, operation
from vitrine._skill_inspection import NAMESPACE_PARAMETERS
from vitrine._skills import SkillsNamespace
from vitrine._tools import CallableProxy, ToolProxy, ToolsNamespace

_CLASSES: Mapping[str, type[Namespace]] = {
    "tools": ToolsNamespace,
    "skills": SkillsNamespace,
    "workflows": SkillsNamespace,
    "artifacts": ArtifactsNamespace,
    "deps": DepsNamespace,
}
_CALLS = frozenset({"call_sync", "call_async"})
# Set on each of them when it is made, so that the class does not have them.
_FUNCTION_ATTRIBUTES = frozenset({"__name__", "__qualname__", "__signature__", "__doc__"})
_LONGEST_LITERAL = 20_000


@dataclass
class Use:
    """A namespace with the names after it: ``tools.weather.today``, perhaps called."""

    namespace: str
    path: list[str]
    node: ast.expr
    call: ast.Call | None
    is_awaited: bool


def read_path(node: ast.expr) -> tuple[ast.Name, list[str]] | None:
    """``tools.a.b`` and ``tools["a"]["b"]`` as a name with what follows it."""
    path: list[str] = []
    while True:
        match node:
            case ast.Attribute(value=value, attr=attr):
                path.append(attr)
                node = value
            case ast.Subscript(value=value, slice=ast.Constant(value=str() as key)):
                path.append(key)
                node = value
            case ast.Name():
                return (node, path[::-1]) if path else None
            case _:
                return None


class UseChecker:
    """Judges uses of the namespaces, as far as the interpreter alone can."""

    def __init__(self, findings: Findings, world: World) -> None:
        self._findings = findings
        self._world = world

    def check(self, use: Use, *, certain: bool, guarded: frozenset[str]) -> None:
        """Note what is wrong with a use, or hand it to the page.

        Args:
            use: The use.
            certain: Whether the code is certainly run.
            guarded: Names of exceptions that the code catches there.
        """
        head = use.path[0]
        owner = _CLASSES[use.namespace]
        if hasattr(owner, head):
            if len(use.path) == 1 and use.call is not None:
                self._check_method(use, owner, certain=certain, guarded=guarded)
            return
        if head.startswith("_"):
            self._unknown(use, owner, certain=certain, guarded=guarded)
        elif use.namespace == "tools":
            if self._world.may_define_tool(head):
                return
            self._hand_over(use, certain=certain, guarded=guarded)
        elif owner is SkillsNamespace:
            self._check_skill(use, certain=certain, guarded=guarded)
        else:
            self._unknown(use, owner, certain=certain, guarded=guarded)

    def _unknown(
        self, use: Use, owner: type[Namespace], *, certain: bool, guarded: frozenset[str]
    ) -> None:
        if "AttributeError" in guarded:
            return
        name = use.path[0]
        methods = [each for each in dir(owner) if not each.startswith("_")]
        meant = self._world.suggest(name, methods)
        suggestion = f"It has: {', '.join(methods)}."
        if meant is not None:
            suggestion = f"Write `{use.namespace}.{meant}`."
        self._findings.add(
            "error" if certain else "warning",
            "UNKNOWN_METHOD",
            f"{use.namespace} has no attribute {name!r}",
            span=self._findings.span_of(use.node),
            python_type="AttributeError",
            suggestion=suggestion,
        )

    def _check_method(
        self, use: Use, owner: type[Namespace], *, certain: bool, guarded: frozenset[str]
    ) -> None:
        signature = _method_signature(owner, use.path[0])
        if use.call is None or signature is None or "TypeError" in guarded:
            return
        label = f"{use.namespace}.{use.path[0]}"
        self._check_binding(use.call, signature, label, certain=certain)

    def _check_binding(
        self, call: ast.Call, signature: inspect.Signature, label: str, *, certain: bool
    ) -> None:
        wrong = _binding_problem(call, signature)
        if wrong is None:
            return
        kind, reason, node = wrong
        names = list(signature.parameters)
        suggestion = f"It is called {label}{_plain(signature)}."
        if kind == "UNKNOWN_ARGUMENT" and isinstance(node, ast.keyword) and node.arg is not None:
            meant = self._world.suggest(node.arg, names)
            if meant is not None:
                suggestion = f"Write `{meant}=`. {suggestion}"
        marked = node.value if isinstance(node, ast.keyword) else call
        self._findings.add(
            "error" if certain else "warning",
            kind,
            f"{label}() {reason}",
            span=self._findings.span_of(marked),
            python_type="TypeError",
            suggestion=suggestion,
        )

    def _check_skill(self, use: Use, *, certain: bool, guarded: frozenset[str]) -> None:
        name = use.path[0]
        world = self._world
        source = world.surroundings.skills.get(name)
        if source is None or world.makes_skills:
            known_elsewhere = world.makes_skills or world.is_mentioned(name)
            if "AttributeError" not in guarded and not known_elsewhere:
                self._findings.add(
                    "error" if certain else "warning",
                    "UNKNOWN_SKILL",
                    f"Skill not found: {name}",
                    span=self._findings.span_of(use.node),
                    python_type="AttributeError",
                    skill=name,
                )
            return
        method = use.path[1] if len(use.path) > 1 else None
        if method is not None and method not in _CALLS:
            return
        signature = _skill_signature(source)
        if use.call is None or signature is None or "TypeError" in guarded:
            return
        certain = certain and (method != "call_async" or use.is_awaited)
        self._check_binding(use.call, signature, f"{use.namespace}.{name}", certain=certain)

    def _hand_over(self, use: Use, *, certain: bool, guarded: frozenset[str]) -> None:
        tool, *rest = use.path
        call = use.call
        callable_name: str | None = None
        if rest and not _has(ToolProxy, rest[0]):
            callable_name, *rest = rest
        method = rest[0] if rest else None
        owner = ToolProxy if callable_name is None else CallableProxy
        missing = None
        if method is not None and method not in _CALLS:
            call = None
            missing = None if _has(owner, method) else method
        elif method is None and callable_name is None and len(use.path) > 1:
            call = None
        if len(rest) > 1:
            call = None
        is_lazy = method == "call_async" and not use.is_awaited
        self._findings.add_use(
            {
                "text": ".".join(["tools", *use.path]),
                "tool": tool,
                "callable": callable_name,
                "missing": missing,
                "call": None if call is None else self._arguments(call),
                # What a string of the code names may be made by it.
                "certain": certain and not self._world.is_mentioned(tool),
                # A coroutine that nobody awaits checks no arguments.
                "runsAtOnce": not is_lazy,
                "guarded": sorted(guarded),
                **self._findings.span_of(use.node),
            }
        )

    def _arguments(self, call: ast.Call) -> dict[str, Any]:
        positional = [arg for arg in call.args if not isinstance(arg, ast.Starred)]
        named = [item for item in call.keywords if item.arg is not None]
        return {
            "positional": [self._argument(arg) for arg in positional],
            "named": [[item.arg, self._argument(item.value)] for item in named],
            # What a star stands for is not known.
            "isOpen": len(positional) < len(call.args) or len(named) < len(call.keywords),
        }

    def _argument(self, node: ast.expr) -> dict[str, Any]:
        about: dict[str, Any] = {"literal": _literal(node), "kind": self._kind(node)}
        return about | self._findings.span_of(node)

    def _kind(self, node: ast.expr) -> str | None:
        match node:
            case ast.JoinedStr():
                return "string"
            case ast.List() | ast.ListComp():
                return "array"
            case ast.Dict() | ast.DictComp():
                return "object"
            case ast.UnaryOp(op=ast.Not()):
                return "boolean"
            case ast.Call(func=ast.Name(id="str")) if self._world.is_builtin("str"):
                return "string"
            case _:
                return None


def _has(owner: type[ToolProxy | CallableProxy], name: str) -> bool:
    return name in _FUNCTION_ATTRIBUTES or hasattr(owner, name) or name in {"_bridge", "_tool"}


def _literal(node: ast.expr) -> str | None:
    """The value as the bridge writes it; None where it is not known from the text alone."""
    try:
        value = ast.literal_eval(node)
        text, buffers = _codec.encode(value)
    except ValueError, TypeError, SyntaxError, RecursionError, MemoryError, OverflowError:
        return None
    return text if not buffers and len(text) <= _LONGEST_LITERAL else None


@cache
def _method_signature(owner: type[Namespace], name: str) -> inspect.Signature | None:
    method = next((each.__dict__[name] for each in owner.__mro__ if name in each.__dict__), None)
    if not isinstance(method, operation):
        return None
    signature = inspect.signature(method._method)  # pyright: ignore
    parameters = list(signature.parameters.values())[1:]
    return signature.replace(parameters=parameters)


def _skill_signature(source: str) -> inspect.Signature | None:
    """How ``run`` is called; None where that cannot be told from the text."""
    try:
        tree = ast.parse(source)
    except SyntaxError, ValueError, RecursionError, MemoryError:
        return None
    runs = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == "run"
    ]
    rebound = any(
        isinstance(node, ast.Name) and node.id == "run" and isinstance(node.ctx, ast.Store)
        for node in ast.walk(tree)
    )
    if len(runs) != 1 or rebound or runs[0] not in tree.body or runs[0].decorator_list:
        return None
    return _signature_of(runs[0].args)


def _signature_of(arguments: ast.arguments) -> inspect.Signature:
    kinds = inspect._ParameterKind
    positional = [
        *((arg, kinds.POSITIONAL_ONLY) for arg in arguments.posonlyargs),
        *((arg, kinds.POSITIONAL_OR_KEYWORD) for arg in arguments.args),
    ]
    first_default = len(positional) - len(arguments.defaults)
    parameters = [
        _parameter(arg, kind, has_default=index >= first_default)
        for index, (arg, kind) in enumerate(positional)
    ]
    if arguments.vararg is not None:
        parameters.append(inspect.Parameter(arguments.vararg.arg, kinds.VAR_POSITIONAL))
    parameters += [
        _parameter(arg, kinds.KEYWORD_ONLY, has_default=default is not None)
        for arg, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    if arguments.kwarg is not None:
        parameters.append(inspect.Parameter(arguments.kwarg.arg, kinds.VAR_KEYWORD))
    # The session fills those in, and its caller does not see them.
    visible = [item for item in parameters if item.name not in NAMESPACE_PARAMETERS]
    return inspect.Signature(visible, __validate_parameters__=False)


def _parameter(
    argument: ast.arg, kind: inspect._ParameterKind, *, has_default: bool
) -> inspect.Parameter:
    default = ... if has_default else inspect.Parameter.empty
    return inspect.Parameter(argument.arg, kind, default=default)


def _plain(signature: inspect.Signature) -> str:
    """The names alone: ``(name, data, description=…)``."""
    shown: list[str] = []
    for item in signature.parameters.values():
        stars = {item.VAR_POSITIONAL: "*", item.VAR_KEYWORD: "**"}.get(item.kind, "")
        optional = item.default is not inspect.Parameter.empty
        shown.append(f"{stars}{item.name}{'=…' if optional else ''}")
    return f"({', '.join(shown)})"


type _Problem = tuple[str, str, ast.expr | ast.keyword]


def _binding_problem(call: ast.Call, signature: inspect.Signature) -> _Problem | None:
    """What Python says of the arguments, by their number and names alone."""
    parameters = list(signature.parameters.values())
    star = any(isinstance(arg, ast.Starred) for arg in call.args)
    is_open = star or any(item.arg is None for item in call.keywords)
    kinds = inspect._ParameterKind
    by_position = [item for item in parameters if item.kind <= kinds.POSITIONAL_OR_KEYWORD]
    takes_more = any(item.kind == kinds.VAR_POSITIONAL for item in parameters)
    given = 0 if star else len(call.args)
    if given > len(by_position) and not takes_more:
        were = "was" if given == 1 else "were"
        reason = f"takes {len(by_position)} positional arguments but {given} {were} given"
        return "UNKNOWN_ARGUMENT", reason, call.args[len(by_position)]
    filled = {item.name for item in by_position[:given]}
    takes_any = any(item.kind == kinds.VAR_KEYWORD for item in parameters)
    by_name = _by_name(parameters)
    for item in call.keywords:
        if item.arg is None:
            continue
        if item.arg in filled and item.arg in by_name:
            reason = f"got multiple values for argument {item.arg!r}"
            return "UNKNOWN_ARGUMENT", reason, item
        if item.arg not in by_name and not takes_any:
            reason = f"got an unexpected keyword argument {item.arg!r}"
            return "UNKNOWN_ARGUMENT", reason, item
        filled.add(item.arg)
    if is_open:
        return None
    variable = {kinds.VAR_POSITIONAL, kinds.VAR_KEYWORD}
    lacking = [
        item.name
        for item in parameters
        if item.kind not in variable
        and item.default is inspect.Parameter.empty
        and item.name not in filled
    ]
    if not lacking:
        return None
    names = ", ".join(map(repr, lacking))
    plural = "argument" if len(lacking) == 1 else "arguments"
    return "MISSING_ARGUMENT", f"missing {len(lacking)} required {plural}: {names}", call


def _by_name(parameters: Sequence[inspect.Parameter]) -> set[str]:
    named = {inspect._ParameterKind.POSITIONAL_OR_KEYWORD, inspect._ParameterKind.KEYWORD_ONLY}
    return {item.name for item in parameters if item.kind in named}
