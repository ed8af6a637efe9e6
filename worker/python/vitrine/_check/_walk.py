"""Walks code in the order in which Python would run it, and tells what certainly runs."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence

from vitrine._check._findings import Findings
from vitrine._check._flow import (
    COMPOUND,
    caught_by,
    is_endless,
    is_exit,
    may_exit,
    may_leave,
    opens_file,
)
from vitrine._check._lookups import LookupChecker
from vitrine._check._scopes import (
    Comprehension,
    Function,
    Scope,
    bindings_of,
    children_of,
    defaults_of,
    own_nodes,
    parameters_of,
    type_parameters_of,
)
from vitrine._check._uses import Use, UseChecker, read_path
from vitrine._check._walk_state import WalkState
from vitrine._check._world import NAMESPACES, World

_DEEPEST = 200


class TooDeepError(Exception):
    """The code is nested deeper than it is followed."""


class Walker:
    """Looks at names, imports and uses of the namespaces.

    The statements of the module are followed in their order. What is under a
    condition, in a loop or in a function that is not certainly called may not
    run, so that what is wrong there is a warning.
    """

    def __init__(self, tree: ast.Module, findings: Findings, world: World) -> None:
        self._tree = tree
        self._findings = findings
        self._world = world
        self._uses = UseChecker(findings, world)
        self._state = WalkState(set(world.declared_global))
        self._lookups = LookupChecker(findings, world, self._state)
        self._functions: dict[str, Function] = {}
        self._entered: set[str] = set()
        self._later: list[tuple[Function | ast.Lambda, list[Scope]]] = []
        self._depth = 0

    def walk(self) -> None:
        """Look at all of the code."""
        self._block(self._tree.body)
        self._state.defer()
        while self._later:
            function, scopes = self._later.pop()
            self._state.scopes = scopes
            self._function_body(function)

    # Statements

    def _block(self, body: Sequence[ast.stmt]) -> bool:
        """Walk statements. False where the end of them is never reached."""
        certain = self._state.certain
        for statement in body:
            # Inside of it the order is not followed, so that its names count from its beginning.
            if not self._state.scopes and isinstance(statement, COMPOUND):
                self._state.bound.update(bindings_of([statement]).names)
            goes_on = self._statement(statement)
            if not self._state.scopes and not isinstance(statement, COMPOUND):
                self._state.bound.update(bindings_of([statement]).names)
            if not goes_on:
                self._state.certain = certain
                return False
            if may_leave(statement):
                self._state.certain = False
        self._state.certain = certain
        return True

    def _statement(self, node: ast.stmt) -> bool:
        match node:
            case ast.Return() | ast.Raise():
                self._children(node)
                return False
            case ast.Break() | ast.Continue():
                return False
            case ast.Import() | ast.ImportFrom():
                self._import(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._define(node)
            case ast.ClassDef():
                self._class(node)
            case ast.If(test=test, body=body, orelse=orelse):
                self._expression(test)
                self._maybe(body, orelse)
            case ast.For(target=target, iter=iterable) | ast.AsyncFor(target=target, iter=iterable):
                self._expression(iterable)
                self._expression(target)
                self._maybe(node.body, node.orelse)
            case ast.While(test=test, body=body, orelse=orelse):
                self._expression(test)
                self._maybe(body, orelse)
                return not is_endless(node)
            case ast.Try() | ast.TryStar():
                return self._try(node)
            case ast.With() | ast.AsyncWith():
                self._with(node)
            case ast.Match(subject=subject, cases=cases):
                self._expression(subject)
                with self._state.uncertain():
                    for case in cases:
                        self._children(case.pattern)
                        if case.guard is not None:
                            self._expression(case.guard)
                        self._block(case.body)
            case ast.AnnAssign(target=target, value=value):
                # Annotations are evaluated when somebody asks for them, if ever.
                if value is not None:
                    self._expression(value)
                self._expression(target)
            case ast.Assign(targets=targets, value=value):
                self._expression(value)
                for target in targets:
                    self._expression(target)
            case ast.AugAssign(target=target, value=value):
                if isinstance(target, ast.Name):
                    self._lookups.check_name(target)
                else:
                    self._expression(target)
                self._expression(value)
            case ast.TypeAlias() | ast.Global() | ast.Nonlocal() | ast.Delete() | ast.Pass():
                pass
            case ast.Assert(test=test, msg=message):
                self._expression(test)
                if message is not None:
                    with self._state.uncertain():
                        self._expression(message)
            case ast.Expr(value=value):
                self._expression(value)
                return not is_exit(value)
            case _:
                self._children(node)
        return True

    def _maybe(self, *blocks: Sequence[ast.stmt]) -> None:
        with self._state.uncertain():
            for block in blocks:
                self._block(block)

    def _try(self, node: ast.Try | ast.TryStar) -> bool:
        if not node.handlers:
            goes_on = self._block(node.body)
            self._maybe(node.orelse)
            return self._block(node.finalbody) and goes_on
        with self._state.uncertain(), self._state.guarded(caught_by(node.handlers)):
            self._block(node.body)
        with self._state.uncertain():
            for handler in node.handlers:
                if handler.type is not None:
                    self._expression(handler.type)
                # An import that stands in for the one that failed is a guess too.
                with self._state.guarded(frozenset({"ModuleNotFoundError"})):
                    self._block(handler.body)
            self._block(node.orelse)
        self._block(node.finalbody)
        return True

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            self._expression(item.context_expr)
            if item.optional_vars is not None:
                self._expression(item.optional_vars)
                self._state.bind(item.optional_vars)
        # Other context managers may swallow what goes wrong in their block.
        if all(opens_file(item.context_expr, self._world) for item in node.items):
            self._block(node.body)
        else:
            self._maybe(node.body)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                self._lookups.check_module(alias.name, alias)
        elif node.level == 0 and node.module is not None:
            self._lookups.check_module(node.module, node)

    def _define(self, node: Function) -> None:
        for decorator in node.decorator_list:
            self._expression(decorator)
        for default in defaults_of(node.args):
            self._expression(default)
        is_plain = not node.decorator_list and self._world.module.names[node.name] == 1
        if not self._state.scopes and self._state.certain and is_plain:
            self._functions[node.name] = node
        self._later.append((node, list(self._state.scopes)))

    def _class(self, node: ast.ClassDef) -> None:
        for expression in [*node.decorator_list, *node.bases]:
            self._expression(expression)
        for keyword in node.keywords:
            self._expression(keyword.value)
        bound = bindings_of(node.body)
        names = {*bound.names, *type_parameters_of(node)}
        with self._state.inside(Scope("class", names, bound.global_names)):
            self._block(node.body)

    def _function_body(self, node: Function | ast.Lambda) -> None:
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        bound = bindings_of(body)
        names = {*bound.names, *parameters_of(node.args)}
        if not isinstance(node, ast.Lambda):
            names |= type_parameters_of(node)
            names.add("__class__")
        with self._state.inside(Scope("function", names, bound.global_names)):
            if isinstance(node, ast.Lambda):
                self._expression(node.body)
            else:
                self._block(node.body)

    # Expressions

    def _expression(self, node: ast.expr, *, is_awaited: bool = False) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise TooDeepError
        try:
            self._evaluate(node, is_awaited=is_awaited)
        finally:
            self._depth -= 1

    def _evaluate(self, node: ast.expr, *, is_awaited: bool) -> None:
        match node:
            case ast.Name(ctx=ast.Load()):
                self._lookups.check_name(node)
            case ast.Name() | ast.Constant():
                pass
            case ast.Call():
                self._call(node, is_awaited=is_awaited)
            case ast.Attribute() | ast.Subscript():
                if not self._use(node, None, is_awaited=False):
                    self._children(node)
            case ast.Await(value=value):
                self._expression(value, is_awaited=True)
                self._enter_if_called(value, is_async=True)
            case ast.BoolOp(values=[first, *others]):
                self._expression(first)
                self._maybe_expressions(others)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self._expression(test)
                self._maybe_expressions([body, orelse])
            case ast.Compare(left=left, comparators=[first, *others]):
                self._expression(left)
                self._expression(first)
                self._maybe_expressions(others)
            case ast.Lambda():
                for default in defaults_of(node.args):
                    self._expression(default)
                self._later.append((node, list(self._state.scopes)))
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._comprehension(node)
            case ast.NamedExpr(target=target, value=value):
                self._expression(value)
                self._state.bind(target)
            case _:
                self._children(node)

    def _maybe_expressions(self, nodes: Sequence[ast.expr]) -> None:
        with self._state.uncertain():
            for node in nodes:
                self._expression(node)

    def _children(self, node: ast.AST) -> None:
        for child in children_of(node):
            if isinstance(child, ast.expr):
                self._expression(child)
            else:
                self._children(child)

    def _comprehension(self, node: Comprehension) -> None:
        first, *others = node.generators
        self._expression(first.iter)
        targets = bindings_of([generator.target for generator in node.generators])
        with (
            self._state.inside(Scope("comprehension", set(targets.names), set())),
            self._state.uncertain(),
        ):
            for test in first.ifs:
                self._expression(test)
            for generator in others:
                self._expression(generator.iter)
                for test in generator.ifs:
                    self._expression(test)
            if isinstance(node, ast.DictComp):
                self._expression(node.key)
                self._expression(node.value)
            else:
                self._expression(node.elt)

    def _call(self, node: ast.Call, *, is_awaited: bool) -> None:
        if not self._use(node.func, node, is_awaited=is_awaited):
            self._expression(node.func)
        for argument in node.args:
            self._expression(argument)
        for keyword in node.keywords:
            self._expression(keyword.value)
        self._enter_if_called(node, is_async=False)
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="asyncio"), attr="run"),
                args=[ast.Call() as inner, *_],
            ) if "asyncio" in sys.modules and not self._state.is_local("asyncio"):
                self._enter_if_called(inner, is_async=True)
            case _:
                pass

    def _enter_if_called(self, node: ast.expr, *, is_async: bool) -> None:
        """Follow a call into a function of this code: its body runs as certainly as the call."""
        if not (
            self._state.certain and isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        ):
            return
        name = node.func.id
        function = self._functions.get(name)
        if function is None or name in self._entered or self._state.is_local(name):
            return
        if isinstance(function, ast.AsyncFunctionDef) is not is_async:
            return
        if any(isinstance(part, ast.Yield | ast.YieldFrom) for part in own_nodes(function.body)):
            return
        self._entered.add(name)
        scopes, self._state.scopes = self._state.scopes, []
        try:
            self._function_body(function)
        finally:
            self._state.scopes = scopes
        if may_exit(function):
            self._state.certain = False

    def _use(self, node: ast.expr, call: ast.Call | None, *, is_awaited: bool) -> bool:
        """Whether ``node`` is a use of a namespace, which then is checked."""
        found = read_path(node)
        if found is None:
            return False
        root, path = found
        name = root.id
        if name not in NAMESPACES or self._state.is_local(name):
            return False
        if not self._world.is_namespace(name) or self._world.makes_names:
            return False
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            return True
        use = Use(name, path, node, call, is_awaited)
        self._uses.check(use, certain=self._state.certain, guarded=self._state.guarding)
        return True


__all__ = ["TooDeepError", "Walker"]
