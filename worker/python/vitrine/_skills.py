"""The namespace ``skills``, and how a skill runs."""

from __future__ import annotations

import builtins
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sized
from contextlib import suppress
from types import CodeType, ModuleType
from typing import Any, ClassVar, cast, override

from vitrine._arguments import require_limit, require_text
from vitrine._beginnings import shorten
from vitrine._bridge import current_call
from vitrine._errors import RPCError, SkillNotFoundError, SkillValidationError
from vitrine._import_gate import GATE
from vitrine._operation import (
    Call,
    Caller,
    Namespace,
    Operation,
    Request,
    Settle,
    Steps,
    operation,
)
from vitrine._records import Skill, wire_fields, wire_items, wire_text
from vitrine._skill_inspection import (
    NAMESPACE_PARAMETERS,
    compile_skill,
    inspect_skill,
    skill_filename,
)
from vitrine._traceback import remember_source

_RECORDED_TEXT = 2_000
_RECORDED_ITEMS = 100

# The methods called `list` hide the builtin in the annotations of their classes.
type Skills = list[Skill]


class SkillProxy(Operation[..., Any]):
    """A skill, called like a function.

    A plain call waits for its result, also when ``run`` is asynchronous; so does
    ``call_sync``. An awaited call and ``call_async`` let others run meanwhile.
    """

    def __init__(self, bridge: Caller, runner: SkillRunner, skill: Skill) -> None:
        self._bridge = bridge
        self._runner = runner
        self._skill = skill
        self.__signature__ = _signature(skill)
        self.__name__ = skill.name
        self.__qualname__ = f"skills.{skill.name}"
        self.__doc__ = skill.description or None

    @property
    def source(self) -> str:
        """The source, as it was when the skill was looked up."""
        return self._skill.source

    def signature(self) -> str:
        """How to call it, as text."""
        return f"{self._skill.name}{self.__signature__.format(quote_annotation_strings=False)}"

    def describe(self) -> dict[str, str]:
        """What each parameter means, or its type where the author described nothing."""
        return dict(self._skill.params)

    def _steps(self, /, *args: Any, **kwargs: Any) -> Steps[Any]:
        return self._run(args, kwargs)

    def _run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Steps[Any]:
        name = self._skill.name
        try:
            begun = yield from self._runner.begin(name, args, kwargs)
        except SkillNotFoundError:
            # Deleted after it was looked up.
            raise AttributeError(f"Skill not found: {name}") from None
        return (yield from self._runner.run(begun, args, kwargs))

    def _help_text(self) -> str:
        described = [f"    {name}: {text}" for name, text in self.describe().items()]
        arguments = "\n".join(["Args:", *described]) if described else ""
        parts = [f"skills.{self.signature()}", self._skill.description, arguments]
        return "\n\n".join(part for part in parts if part)

    @override
    def __repr__(self) -> str:
        return f"<skills.{self.signature()}>"


class SkillRun:
    """A skill that was begun."""

    __slots__ = ("call_id", "name", "source")

    def __init__(self, name: str, call_id: str, source: str) -> None:
        self.name = name
        self.call_id = call_id
        self.source = source


class SkillRunner:
    """Runs the source of a skill in a namespace of its own.

    Nothing stays between two runs, and nothing of the session's variables is
    seen; ``environment`` is what every skill finds: the namespaces.
    """

    def __init__(self, environment: Mapping[str, object]) -> None:
        self._environment = environment
        self._compiled: dict[str, tuple[str, CodeType]] = {}

    def steps(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Steps[Any]:
        """Run a skill as a call of its own: what it calls is recorded as its children."""
        begun = yield from self.begin(name, args, kwargs)
        return (yield from self.run(begun, args, kwargs))

    def begin(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Steps[SkillRun]:
        """Tell the page that a skill starts, and get its source."""
        recorded = yield from self._recorded_arguments(name, args, kwargs)
        reply = yield Request("skills.begin", {"name": name, "arguments": recorded})
        begun = wire_fields(reply, "the run of a skill")
        return SkillRun(name, wire_text(begun, "callId"), wire_text(begun, "source"))

    def run(self, begun: SkillRun, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Steps[Any]:
        """Run a skill that the page knows has started, and tell it how that ended."""
        token = current_call.set(begun.call_id)
        try:
            result = yield Call(lambda: self._start(begun.name, begun.source, args, kwargs))
            if inspect.isawaitable(result):
                result = yield Settle(result)
        except GeneratorExit:
            # The awaiting side was dropped and nothing may be asked any more; the page ends
            # what is still open when the run ends.
            raise
        except BaseException as error:
            current_call.reset(token)
            ended: dict[str, object] = {
                "callId": begun.call_id,
                "ok": False,
                "error": _summary(error),
            }
            # What the skill raised matters more than that the page could not note it.
            with suppress(RPCError):
                yield Request("skills.end", ended)
            raise
        current_call.reset(token)
        yield Request("skills.end", {"callId": begun.call_id, "ok": True})
        return result

    def _start(
        self, name: str, source: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> object:
        code = self._compile(name, source)
        GATE.check_source(source, skill_filename(name))
        # Below our own package: `skills` may be a module of the session.
        module = ModuleType(f"vitrine.skills.{name}")
        # Dataclasses and pickling look a class's module up there.
        sys.modules[module.__name__] = module
        module.__dict__.update(self._environment)
        # Of session code, and not of this module.
        module.__dict__["__builtins__"] = builtins.__dict__
        exec(code, module.__dict__)
        run = module.__dict__.get("run")
        if not callable(run):
            raise SkillValidationError(f"Skill {name!r} does not define run().")
        return _call_run(run, args, kwargs, self._environment)

    def _compile(self, name: str, source: str) -> CodeType:
        known = self._compiled.get(name)
        if known is None or known[0] != source:
            known = self._compiled[name] = (source, compile_skill(name, source))
        remember_source(skill_filename(name), source)
        return known[1]

    def _recorded_arguments(
        self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Steps[dict[str, object]]:
        """The arguments by name, short enough for the journal."""
        recorded = {key: _recorded(value) for key, value in kwargs.items()}
        if args:
            found = yield Request("skills.get", {"name": name})
            skill = Skill() if found is None else Skill.with_source(found)
            names = [parameter.name for parameter in skill.get("parameters", [])]
            names += [f"argument {index + 1}" for index in range(len(names), len(args))]
            recorded |= {key: _recorded(value) for key, value in zip(names, args, strict=False)}
        return recorded


class SkillsNamespace(Namespace):
    """The skills of this session: stored Python that is called like a function.

    Look for one before writing the same again: ``skills.search("…")``, then
    ``skills.<name>(argument=…)``.
    """

    _label: ClassVar[str] = "skills"

    def __init__(self, bridge: Caller, runner: SkillRunner) -> None:
        super().__init__(bridge)
        self._runner = runner
        self._proxies: dict[str, SkillProxy] = {}

    @operation
    def list(self) -> Steps[Skills]:
        """All skills."""
        found = yield Request("skills.list", {})
        return [Skill.from_wire(item) for item in wire_items(found)]

    @operation
    def search(self, query: str, limit: int = 10) -> Steps[Skills]:
        """The skills that fit best, each with its ``score``."""
        require_text("skills.search() query", query)
        require_limit("skills.search() limit", limit)
        found = yield Request("skills.search", {"query": query, "limit": limit})
        return [Skill.from_wire(item) for item in wire_items(found)]

    @operation
    def get(self, name: str) -> Steps[Skill | None]:
        """A skill with its ``source``; None when there is none of that name."""
        require_text("skills.get() name", name)
        found = yield Request("skills.get", {"name": name})
        return None if found is None else Skill.with_source(found)

    @operation
    def create(self, name: str, source: str, description: str = "") -> Steps[Skill]:
        """Store a skill; one of the same name is replaced.

        Args:
            name: A Python identifier.
            source: Python that defines ``def run(...)`` or ``async def run(...)``. It is
                not run now.
            description: Default: the first line of its docstring.

        Raises:
            SkillValidationError: The name or the source cannot make a skill.
            SkillSyntaxError: The source is not Python.
        """
        require_text("skills.create() name", name)
        require_text("skills.create() source", source)
        require_text("skills.create() description", description)
        inspect_skill(name, source)
        arguments: dict[str, object] = {"name": name, "source": source, "description": description}
        created = yield Request("skills.create", arguments)
        self._proxies.pop(name, None)
        return Skill.from_wire(created)

    @operation
    def delete(self, name: str) -> Steps[bool]:
        """Delete a skill; False when there was none."""
        require_text("skills.delete() name", name)
        deleted = yield Request("skills.delete", {"name": name})
        self._proxies.pop(name, None)
        return deleted is True

    @operation
    def invoke(self, /, *args: Any, **kwargs: Any) -> Steps[Any]:
        """Run a skill by name: ``invoke("triple", n=7)``.

        Raises:
            SkillNotFoundError: There is none of that name.
        """
        name, *positional = args or (_name_argument(kwargs),)
        require_text("skills.invoke() skill_name", name)
        return (yield from self._runner.steps(name, tuple(positional), kwargs))

    def __getattr__(self, name: str) -> SkillProxy:
        if name.startswith("_"):
            raise AttributeError(f"skills has no attribute {name!r}")
        proxy = self._proxies.get(name)
        if proxy is None:
            skill = self.get.call_sync(name)
            if skill is None:
                raise AttributeError(f"Skill not found: {name}")
            proxy = self._proxies[name] = SkillProxy(self._bridge, self._runner, skill)
        return proxy

    @override
    def __dir__(self) -> Iterable[str]:
        try:
            names = {skill.name for skill in self.list.call_sync()}
        except RPCError:
            names = set[str]()
        return sorted({*object.__dir__(self), *names})

    @override
    def __repr__(self) -> str:
        return "<skills: skills.list() and skills.search(query) show what there is>"


def forget_skills(namespace: SkillsNamespace) -> None:
    """Ask the page anew about every skill, since they may have changed."""
    namespace._proxies.clear()


_PYTHON_TYPES: Mapping[str, str] = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "array": "list",
    "object": "dict",
}


def _signature(skill: Skill) -> inspect.Signature:
    """The signature as Python's own tools read it; keyword-only, so that any order is valid."""
    return inspect.Signature(
        [
            inspect.Parameter(
                item.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if item.required else item.default,
                annotation=_PYTHON_TYPES.get(item.type, "Any"),
            )
            for item in skill.parameters
        ]
    )


def _call_run(
    run: Callable[..., object],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    environment: Mapping[str, object],
) -> object:
    code = getattr(run, "__code__", None)
    if not isinstance(code, CodeType):
        return run(*args, **kwargs)
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    wanted = [name for name in names if name in NAMESPACE_PARAMETERS]
    if wanted:
        # The caller does not know of these parameters, so they take no position.
        visible = [name for name in code.co_varnames[: code.co_argcount] if name not in wanted]
        if len(args) <= len(visible):
            kwargs = {**dict(zip(visible, args, strict=False)), **kwargs}
            args = ()
        kwargs = {**{name: environment[name] for name in wanted}, **kwargs}
    return run(*args, **kwargs)


def _recorded(value: object) -> object:
    """The value if it is small and plain, else what it is."""
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return shorten(value, _RECORDED_TEXT)
    kind, size = type(value).__name__, len(value) if isinstance(value, Sized) else None
    if size is None or size > _RECORDED_ITEMS:
        return f"<{kind}>" if size is None else f"<{kind} of length {size}>"
    if isinstance(value, dict):
        items = cast("dict[object, object]", value)
        return {str(key): _recorded(item) for key, item in items.items()}
    if isinstance(value, (list, tuple)):
        return [_recorded(item) for item in cast("list[object]", value)]
    return f"<{kind} of length {size}>"


def _summary(error: BaseException) -> dict[str, str]:
    return {"name": type(error).__name__, "message": str(error)[:_RECORDED_TEXT]}


def _name_argument(kwargs: dict[str, Any]) -> Any:
    for key in ("skill_name", "workflow_name"):
        if key in kwargs:
            return kwargs.pop(key)
    raise TypeError("skills.invoke() missing 1 required positional argument: 'skill_name'")


__all__ = [
    "SkillProxy",
    "SkillRunner",
    "SkillsNamespace",
    "forget_skills",
    "inspect_skill",
]
