"""A generated program, made ready to run by its syntax tree.

A *snippet* is the body of an async function: it may ``await`` and ``return`` at its
top. One that returns is put into such a function as the tree it is, so that no line
moves and no string changes; its variables stay module variables, which its functions
may declare ``global``. A *full program* has an async ``main`` or asks for its
``__name__``, and runs as a module, unless it returns at its top.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, cast, override

_MAINS = ("main", "_main")
_AWAITED_CALLS = frozenset({"tool_call", "fetch_ctx", "merge_sources"})
# What hands on what it is given, where that is taken.
_PASSING = frozenset({"list", "map", "tuple"})
# What of asyncio takes an awaitable: a call inside of its arguments is not waited for on the spot.
_TAKERS = frozenset(
    {
        "as_completed",
        "create_task",
        "ensure_future",
        "gather",
        "run",
        "run_until_complete",
        "shield",
        "wait",
        "wait_for",
    }
)
# Of a loop or a group of tasks, which the program has given a name, or has just asked for.
_TAKING_METHODS = frozenset({"create_task", "run_until_complete"})
_LOOPS = frozenset({"get_event_loop", "get_running_loop", "new_event_loop"})

_NAME_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def is_full_program(tree: ast.Module) -> bool:
    """Whether the program brings its own async ``main``, or runs where it is the main module."""
    return any(_is_async_main(statement) or _asks_name(statement) for statement in tree.body)


def prepare_program(tree: ast.Module) -> ast.Module:
    """Make the tree one that runs as a module with ``await`` at its top.

    Raises:
        SyntaxError: The program as a function body is none, with the line of the program.
    """
    tree = cast("ast.Module", _KeptCalls(tree).visit(tree))
    if is_full_program(tree):
        tree = _started(tree)
    # Whatever else it has: no module returns.
    return _as_function(tree) if any(map(_returns, tree.body)) else tree


def _returns(node: ast.AST) -> bool:
    if isinstance(node, _SCOPES):
        return False
    return isinstance(node, ast.Return) or any(map(_returns, ast.iter_child_nodes(node)))


def _is_async_main(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.AsyncFunctionDef) and statement.name in _MAINS


def _asks_name(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.If):
        return False
    names = (node for node in ast.walk(statement.test) if isinstance(node, ast.Name))
    return any(node.id == "__name__" for node in names)


def _started(tree: ast.Module) -> ast.Module:
    """Start the ``main`` of a program that defines one and never names it again."""
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    mains = [statement for statement in tree.body if _is_async_main(statement)]
    waiting = [cast("ast.AsyncFunctionDef", main) for main in mains]
    if any(main.name in used for main in waiting) or any(map(_asks_name, tree.body)):
        return tree
    last = waiting[-1]
    if any((last.args.args, last.args.posonlyargs, last.args.kwonlyargs)):
        return tree
    tree.body.append(_awaited_call(last.name, tree.body[-1]))
    return tree


def _as_function(tree: ast.Module) -> ast.Module:
    hoisted: list[ast.stmt] = []
    body: list[ast.stmt] = []
    for statement in tree.body:
        (hoisted if _belongs_to_module(statement) else body).append(statement)
    if not body:
        return tree
    first, last = body[0], body[-1]
    body = [_without_annotation(statement) for statement in body]
    names = sorted(_bound_names(hoisted, body))
    declared = _declaration(names)
    main = _function([*declared, *body])
    ast.copy_location(main, first)
    for statement in declared:
        ast.copy_location(statement, first)
    module = ast.Module([*hoisted, main, _awaited_call("main", last)], tree.type_ignores)
    return ast.fix_missing_locations(module)


def _belongs_to_module(statement: ast.stmt) -> bool:
    """What Python allows at the top of a module alone."""
    return isinstance(statement, ast.ImportFrom) and (
        statement.module == "__future__" or any(alias.name == "*" for alias in statement.names)
    )


def _without_annotation(statement: ast.stmt) -> ast.stmt:
    return cast("ast.stmt", _PlainAssignments().visit(statement))


def _declaration(names: list[str]) -> list[ast.stmt]:
    return [ast.Global(names)] if names else []


def _function(body: list[ast.stmt]) -> ast.AsyncFunctionDef:
    nothing = ast.arguments([], [], None, [], [], None, [])
    return ast.AsyncFunctionDef("main", nothing, body, [], None, None, [])


def _awaited_call(name: str, after: ast.stmt) -> ast.stmt:
    call = ast.Expr(ast.Await(ast.Call(ast.Name(name, ast.Load()), [], [])))
    for node in ast.walk(call):
        if isinstance(node, (ast.expr, ast.stmt)):
            ast.copy_location(node, after)
    return call


def _bound_names(hoisted: list[ast.stmt], body: list[ast.stmt]) -> set[str]:
    """The names that the body binds, as the compiler sees them in a function."""
    future = [statement for statement in hoisted if _is_future(statement)]
    probe = ast.fix_missing_locations(ast.Module([*future, _function(body)], []))
    compiled = compile(probe, "<main.py>", "exec")
    function = next(
        constant
        for constant in compiled.co_consts
        if hasattr(constant, "co_name") and constant.co_name == "main"
    )
    names = {*function.co_varnames, *function.co_cellvars}
    return {name for name in names if name.isidentifier()}


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


class _PlainAssignments(ast.NodeTransformer):
    """Drops the annotations of variables, which a name declared ``global`` may not have."""

    @override
    def visit(self, node: ast.AST) -> Any:
        # Another scope, whose names are its own.
        return node if isinstance(node, _SCOPES) else super().visit(node)

    @override
    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if not isinstance(node.target, ast.Name):
            return node
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign([node.target], node.value), node)


class _KeptCalls(ast.NodeTransformer):
    """Has calls that are gathered return what can be awaited.

    ``await gather(agent_io_tools.tool_call(…), …)`` is written for functions that
    always do; ours wait by themselves where they are not awaited on the spot.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._takers = _Takers(tree)
        self._taken = 0
        self._kept = _names_taken(tree, self._takers)

    @override
    def visit(self, node: ast.AST) -> Any:
        if not isinstance(node, _NAME_SCOPES):
            return super().visit(node)
        outside = self._taken, self._kept
        self._taken = 0
        # Of the names taken outside, the function means those that it does not bind itself.
        self._kept = _names_taken(node, self._takers) | (self._kept - _names_bound(node))
        visited = self.generic_visit(node)
        self._taken, self._kept = outside
        return visited

    @override
    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = _last_name(node.func)
        if self._takers.takes(node.func) or (self._taken > 0 and _passes(node.func)):
            self._taken += 1
            node.args = [cast("ast.expr", self.visit(item)) for item in node.args]
            node.keywords = [cast("ast.keyword", self.visit(item)) for item in node.keywords]
            self._taken -= 1
            return node
        taken, self._taken = self._taken, 0
        self.generic_visit(node)
        self._taken = taken
        if taken == 0 or name not in _AWAITED_CALLS:
            return node
        node.func = ast.copy_location(ast.Attribute(node.func, "call_async", ast.Load()), node.func)
        return node

    @override
    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        if any(isinstance(item, ast.Name) and item.id in self._kept for item in node.targets):
            return self._visit_taken(node)
        return self.generic_visit(node)

    @override
    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        call = node.value
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr == "append"
            and isinstance(call.func.value, ast.Name)
            and call.func.value.id in self._kept
        ):
            self._taken += 1
            call.args = [cast("ast.expr", self.visit(item)) for item in call.args]
            self._taken -= 1
            return node
        return self.generic_visit(node)

    @override
    def visit_Await(self, node: ast.Await) -> ast.AST:
        if isinstance(node.value, ast.Call) and _last_name(node.value.func) in _AWAITED_CALLS:
            taken, self._taken = self._taken, 0
            self.generic_visit(node)
            self._taken = taken
            return node
        return self.generic_visit(node)

    def _visit_taken(self, node: ast.AST) -> ast.AST:
        self._taken += 1
        self.generic_visit(node)
        self._taken -= 1
        return node


class _Takers:
    """What takes awaitables in a program: functions of asyncio, by its names for them."""

    def __init__(self, tree: ast.Module) -> None:
        self._modules = {"asyncio"}
        self._functions: set[str] = set()
        self._assigned: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                self._modules |= {
                    alias.asname or alias.name for alias in node.names if alias.name == "asyncio"
                }
            elif isinstance(node, ast.ImportFrom) and node.module == "asyncio":
                for alias in node.names:
                    if alias.name == "*":
                        self._functions |= _TAKERS
                    elif alias.name in _TAKERS:
                        self._functions.add(alias.asname or alias.name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self._assigned.add(node.id)

    def takes(self, function: ast.expr) -> bool:
        """Whether a call of this takes awaitables. Another function may have the same name."""
        if isinstance(function, ast.Name):
            return function.id in self._functions
        if not isinstance(function, ast.Attribute):
            return False
        owner = function.value
        if isinstance(owner, ast.Call):
            return function.attr in _TAKING_METHODS and _last_name(owner.func) in _LOOPS
        if not isinstance(owner, ast.Name):
            return False
        if owner.id in self._modules:
            return function.attr in _TAKERS
        return function.attr in _TAKING_METHODS and owner.id in self._assigned


def _passes(function: ast.expr) -> bool:
    return isinstance(function, ast.Name) and function.id in _PASSING


def _names_taken(scope: ast.AST, takers: _Takers) -> set[str]:
    """Names that are awaited, or handed to what takes awaitables, as the scope means them."""
    found: set[str] = set()
    for node in _nodes_of(scope):
        if isinstance(node, _NAME_SCOPES):
            found |= _names_taken(node, takers) - _names_bound(node)
        elif isinstance(node, ast.Await) and isinstance(node.value, ast.Name):
            found.add(node.value.id)
        elif isinstance(node, ast.Call) and takers.takes(node.func):
            for argument in node.args:
                inner = argument.value if isinstance(argument, ast.Starred) else argument
                if isinstance(inner, ast.Name):
                    found.add(inner.id)
    return found


def _names_bound(scope: ast.AST) -> set[str]:
    """Names that a function has for itself: its parameters, and what it assigns."""
    bound: set[str] = set()
    shared: set[str] = set()
    for node in _nodes_of(scope):
        if isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            shared.update(node.names)
    return bound - shared


def _nodes_of(scope: ast.AST) -> Iterator[ast.AST]:
    """All nodes below a scope, without what is inside of the scopes in it."""
    for node in ast.iter_child_nodes(scope):
        yield node
        if not isinstance(node, _NAME_SCOPES):
            yield from _nodes_of(node)


def _last_name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


__all__ = ["is_full_program", "prepare_program"]
