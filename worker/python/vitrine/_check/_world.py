"""What code finds when it runs: the session's names, and what could add to them unseen."""

from __future__ import annotations

import ast
import builtins
import difflib
import opcode
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Any, cast

from vitrine._check._scopes import Bindings, bindings_of, children_of
from vitrine._import_gate import Rules

NAMESPACES = frozenset({"tools", "skills", "workflows", "artifacts", "deps"})

# Put there before every run, and perhaps not yet by an earlier one.
_ALWAYS = NAMESPACES | {"display", "input", "exit", "quit", "get_ipython"}
# Who has one of these can make names of which the code does not tell.
_NAME_MAKERS = frozenset(
    {
        "exec",
        "eval",
        "globals",
        "locals",
        "vars",
        "setattr",
        "builtins",
        "__builtins__",
        "__main__",
        "__import__",
        "runpy",
        "get_ipython",
    }
)
_NAME_MAKING_ATTRIBUTES = frozenset(
    {
        "__dict__",
        "__globals__",
        "__builtins__",
        "f_globals",
        "f_locals",
        "f_builtins",
        "modules",
        "run_path",
        "run_module",
        "_getframe",
        "currentframe",
    }
)
# Who has one of these can make modules importable.
_MODULE_MAKERS = frozenset(
    {"deps", "micropip", "importlib", "zipimport", "site", "pyodide_js", "get_ipython"}
)
_MODULE_MAKING_ATTRIBUTES = frozenset({"path", "modules", "meta_path", "path_hooks", "addsitedir"})
# Nodes that the world is read from, and those that have none below them.
_TELLING = frozenset(
    {
        ast.AsyncFunctionDef,
        ast.Attribute,
        ast.Call,
        ast.Constant,
        ast.FunctionDef,
        ast.Global,
        ast.Import,
        ast.ImportFrom,
        ast.Name,
        ast.Subscript,
    }
)
_LEAVES = frozenset({ast.Constant, ast.Name})
_WORD = re.compile(r"\w+")
_ONLY_NAMES = re.compile(r"[\w\s,]{1,200}")
_STORE_GLOBAL = opcode.opmap["STORE_GLOBAL"]
_MOST_SUGGESTED_FROM = 2_000


@dataclass
class Surroundings:
    """Where code would run.

    Attributes:
        names: The session's variables, by earlier runs. They are only looked at.
        helpers: Names that the run has beside the variables, ``final_answer`` for instance.
        rules: What the import gate lets through; None for everything.
        trust: The trust level of the session.
        lockfile_imports: File of Pyodide's lockfile by top-level module.
        skills: Source by name, of the skills that the code may mean.
    """

    names: Mapping[str, object]
    helpers: frozenset[str] = frozenset()
    rules: Rules | None = None
    trust: str = "sandboxed"
    lockfile_imports: Mapping[str, str] = field(default_factory=dict[str, str])
    skills: Mapping[str, str] = field(default_factory=dict[str, str])


class World:
    """What one piece of code can know, read once from the whole of it."""

    def __init__(self, tree: ast.Module, surroundings: Surroundings) -> None:
        self.surroundings = surroundings
        self.module: Bindings = bindings_of(tree.body)
        self.has_star = False
        self.makes_names = False
        self.makes_modules = False
        self.makes_skills = False
        self.declared_global: set[str] = set()
        self._decorated: set[str] = set()
        self._keys: set[int] = set()
        self._text_words: set[str] = set()
        self._argument_words: set[str] = set()
        waiting: list[ast.AST] = [*tree.body]
        while waiting:
            node = waiting.pop()
            kind = type(node)
            if kind in _TELLING:
                self._read(node)
            if kind not in _LEAVES:
                waiting += children_of(node)

    def has_name(self, name: str) -> bool:
        """Whether ``name`` is there before the code runs."""
        here = self.surroundings
        if name in here.names or name in here.helpers:
            return True
        if self._is_withheld(name):
            return False
        if name in _ALWAYS or hasattr(builtins, name):
            return True
        # Python gives modules and classes names of this form, which ones depends on its version.
        return name.startswith("__") and name.endswith("__")

    def is_rebound(self, name: str) -> bool:
        """Whether the code itself may give ``name`` another meaning in the module's scope."""
        return name in self.module.names or name in self.declared_global

    def is_namespace(self, name: str) -> bool:
        """Whether ``name``, in the module's scope, is one of ours for certain."""
        return name in NAMESPACES and not self.is_rebound(name) and not self.has_star

    def is_builtin(self, name: str) -> bool:
        """Whether ``name`` is Python's own for certain."""
        return (
            hasattr(builtins, name)
            and not self._is_withheld(name)
            and name not in self.surroundings.names
            and not self.is_rebound(name)
            and not self.has_star
        )

    def may_be_made(self, name: str) -> bool:
        """Whether some call may define ``name``: ``var("x y")``, or a function that says global."""
        return name in self._argument_words or self._has_live_maker

    def is_mentioned(self, name: str) -> bool:
        """Whether the text ``name`` occurs in a string, as a name that is made has to."""
        return name in self._text_words

    def may_define_tool(self, name: str) -> bool:
        """Whether the code may make a tool of a function that it calls so."""
        return name in self._decorated

    def suggest(self, name: str, candidates: Iterable[str]) -> str | None:
        """The candidate that was probably meant."""
        wanted = name.lower()
        limited = list(candidates)[:_MOST_SUGGESTED_FROM]
        by_lower = {candidate.lower(): candidate for candidate in reversed(limited)}
        if wanted in by_lower:
            return by_lower[wanted]
        close = difflib.get_close_matches(wanted, by_lower, n=1, cutoff=0.7)
        return by_lower[close[0]] if close else None

    def visible_names(self) -> Iterator[str]:
        """The names that code can use, its own first."""
        yield from (name for name in self.module.names if not name.startswith("_"))
        yield from (name for name in self.surroundings.names if not name.startswith("_"))
        yield from (name for name in sorted(_ALWAYS) if not self._is_withheld(name))
        yield from sorted(self.surroundings.helpers)
        for name in dir(builtins):
            if not name.startswith("_") and not self._is_withheld(name):
                yield name

    def _is_withheld(self, name: str) -> bool:
        rules = self.surroundings.rules
        return rules is not None and rules.withholds(name)

    def _read(self, node: ast.AST) -> None:
        match node:
            case ast.Subscript(slice=ast.Constant(value=str()) as key):
                # To read an item makes nothing.
                self._keys.add(id(key))
            case ast.Constant(value=str() as text) if id(node) not in self._keys:
                self._text_words.update(_WORD.findall(text))
            case ast.Name(id=name):
                self.makes_names = self.makes_names or name in _NAME_MAKERS
                self.makes_modules = self.makes_modules or name in _MODULE_MAKERS
            case ast.Attribute(attr=name):
                self.makes_names = self.makes_names or name in _NAME_MAKING_ATTRIBUTES
                self.makes_modules = self.makes_modules or name in _MODULE_MAKING_ATTRIBUTES
                self.makes_skills = self.makes_skills or name in {"create", "delete"}
            case ast.Import(names=names):
                roots = {alias.name.partition(".")[0] for alias in names}
                self._import_makers(roots)
            case ast.ImportFrom(module=module, names=names):
                if any(alias.name == "*" for alias in names):
                    self.has_star = True
                self._import_makers({(module or "").partition(".")[0]})
                self._import_makers({alias.name for alias in names})
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if node.decorator_list:
                    self._decorated.add(name)
            case ast.Global(names=names):
                self.declared_global.update(names)
            case ast.Call(func=func, args=args):
                if not (isinstance(func, ast.Name) and hasattr(builtins, func.id)):
                    self._argument_words.update(_names_in(args))
                    # tool(function), in place of a decorator.
                    self._decorated.update(arg.id for arg in args if isinstance(arg, ast.Name))
            case _:
                pass

    def _import_makers(self, names: set[str]) -> None:
        self.makes_names = self.makes_names or not names.isdisjoint(_NAME_MAKERS)
        self.makes_modules = self.makes_modules or not names.isdisjoint(_MODULE_MAKERS)

    @property
    def _has_live_maker(self) -> bool:
        """Whether a function of an earlier run may define names when it is called."""
        return any(_makes_names(value) for value in list(self.surroundings.names.values()))


def _names_in(arguments: list[ast.expr]) -> Iterator[str]:
    for argument in arguments:
        match argument:
            case ast.Constant(value=str() as text) if _ONLY_NAMES.fullmatch(text):
                yield from _WORD.findall(text)
            case _:
                pass


def _makes_names(value: object) -> bool:
    # type() and not isinstance(): an object of session code may answer for its class as it likes.
    if type(value) is FunctionType:
        return _code_makes_names(value.__code__)
    if type(value) is type and value.__module__ == "__main__":
        members = cast("Mapping[str, Any]", type.__getattribute__(value, "__dict__"))
        return any(
            type(member) is FunctionType and _code_makes_names(member.__code__)
            for member in list(members.values())
        )
    return False


def _code_makes_names(code: CodeType) -> bool:
    used = set(code.co_names)
    if not used.isdisjoint(_NAME_MAKERS) or not used.isdisjoint(_NAME_MAKING_ATTRIBUTES):
        return True
    if _STORE_GLOBAL in code.co_code[::2]:
        return True
    return any(_code_makes_names(item) for item in code.co_consts if isinstance(item, CodeType))


def is_standard(module: str) -> bool:
    """Whether a module belongs to Python's standard library."""
    return module in sys.stdlib_module_names
