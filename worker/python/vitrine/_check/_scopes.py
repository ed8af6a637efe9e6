"""Which names a piece of code binds, and in which scope."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal, cast

type Function = ast.FunctionDef | ast.AsyncFunctionDef
type ScopeKind = Literal["module", "function", "class", "comprehension"]
type Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp

# Nodes that lie in a field by themselves; operators and contexts say nothing of names.
_INNER = (ast.expr, ast.arguments, ast.arg, ast.pattern)


class Bindings:
    """The names that statements bind in their own scope, with how often.

    Attributes:
        global_names: Those declared ``global``.
        has_star: Whether a star import binds names that nobody knows.
    """

    __slots__ = ("global_names", "has_star", "names")

    def __init__(self) -> None:
        self.names: Counter[str] = Counter()
        self.global_names: set[str] = set()
        self.has_star = False


def bindings_of(nodes: Iterable[ast.AST]) -> Bindings:
    """Read what ``nodes`` bind, without what functions and classes in them bind for themselves."""
    found = Bindings()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.names[name] += 1
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.names[name] += 1
                waiting += node.decorator_list
                waiting += defaults_of(node.args)
            case ast.ClassDef(name=name):
                found.names[name] += 1
                waiting += [*node.decorator_list, *node.bases, *node.keywords]
            case ast.Lambda():
                waiting += defaults_of(node.args)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                waiting += _outside_targets(node)
            case ast.Import(names=names):
                for alias in names:
                    found.names[alias.asname or alias.name.partition(".")[0]] += 1
            case ast.ImportFrom(names=names):
                for alias in names:
                    if alias.name == "*":
                        found.has_star = True
                    else:
                        found.names[alias.asname or alias.name] += 1
            case ast.Global(names=names):
                found.global_names.update(names)
            case ast.Nonlocal():
                pass
            case ast.Constant() | ast.Name():
                pass
            case _:
                _count_captures(node, found.names)
                waiting += children_of(node)
    for name in found.global_names:
        del found.names[name]
    return found


def _count_captures(node: ast.AST, names: Counter[str]) -> None:
    match node:
        case (
            ast.ExceptHandler(name=str() as name)
            | ast.MatchAs(name=str() as name)
            | ast.MatchStar(name=str() as name)
            | ast.MatchMapping(rest=str() as name)
        ):
            names[name] += 1
        case _:
            pass


def _outside_targets(node: Comprehension) -> Iterator[ast.AST]:
    """Where a comprehension may hold ``:=``, whose name belongs to the scope around it."""
    if isinstance(node, ast.DictComp):
        yield node.key
        yield node.value
    else:
        yield node.elt
    for generator in node.generators:
        yield generator.iter
        yield from generator.ifs


def children_of(node: ast.AST) -> list[ast.AST]:
    """The nodes right below ``node``: as ``ast.iter_child_nodes``, in a third of the time."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if type(value) is list:
            items = cast("list[object]", value)
            found += [item for item in items if isinstance(item, ast.AST)]
        elif isinstance(value, _INNER):
            found.append(value)
    return found


def parameters_of(arguments: ast.arguments) -> set[str]:
    """The names of a function's parameters."""
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    stars = [star for star in (arguments.vararg, arguments.kwarg) if star is not None]
    return {argument.arg for argument in [*every, *stars]}


def type_parameters_of(node: Function | ast.ClassDef) -> set[str]:
    """The names in the brackets of ``def f[T]()``."""
    return {
        parameter.name
        for parameter in node.type_params
        if isinstance(parameter, ast.TypeVar | ast.ParamSpec | ast.TypeVarTuple)
    }


def defaults_of(arguments: ast.arguments) -> list[ast.expr]:
    """What is evaluated where the function is defined."""
    return [*arguments.defaults, *(item for item in arguments.kw_defaults if item is not None)]


def own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Every node that runs with ``body``: not what functions, classes and lambdas hold."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting += children_of(node)


class Scope:
    """One scope while code is walked."""

    __slots__ = ("global_names", "kind", "names")

    def __init__(self, kind: ScopeKind, names: set[str], global_names: set[str]) -> None:
        self.kind: ScopeKind = kind
        self.names = names
        self.global_names = global_names


def find_scope(scopes: list[Scope], name: str) -> Scope | None:
    """The scope that binds ``name``; None where it is the module's or a builtin."""
    past_function = False
    for scope in reversed(scopes):
        if name in scope.global_names:
            return None
        # A method does not see the names of its class.
        if name in scope.names and not (scope.kind == "class" and past_function):
            return scope
        past_function = past_function or scope.kind == "function"
    return None
