"""Where a walk through code is, and what holds there."""

from __future__ import annotations

import ast
from collections.abc import Generator
from contextlib import contextmanager

from vitrine._check._findings import Severity
from vitrine._check._scopes import Scope, bindings_of, find_scope

_NO_GUARD = frozenset[str]()


class WalkState:
    """Where a walk is, and what holds there.

    Attributes:
        scopes: Those of functions, classes and comprehensions, the innermost last.
        certain: Whether the run comes here if it is not ended before.
        deferred: Whether the code here runs later than the module around it.
        bound: Names of the module that have a value by now.
    """

    def __init__(self, bound: set[str]) -> None:
        self.scopes: list[Scope] = []
        self.certain = True
        self.deferred = False
        self.bound = bound
        self._guards: tuple[frozenset[str], ...] = ()

    def defer(self) -> None:
        """Go on to what may run later, if ever."""
        self.deferred, self.certain, self._guards = True, False, ()

    def is_local(self, name: str) -> bool:
        """Whether a function, a class or a comprehension around it binds ``name``."""
        return find_scope(self.scopes, name) is not None

    def bind(self, target: ast.expr) -> None:
        """Note that ``target`` has a value from here on."""
        if not any(scope.kind == "function" for scope in self.scopes):
            self.bound.update(bindings_of([target]).names)

    def severity(self, *, but: bool = False) -> Severity:
        """How grave it is that something fails here; ``but`` says that it may not fail."""
        return "error" if self.certain and not but else "warning"

    @property
    def guarding(self) -> frozenset[str]:
        """The names of the exceptions that are expected here."""
        return _NO_GUARD.union(*self._guards)

    def expects(self, *exceptions: str) -> bool:
        """Whether one of ``exceptions`` is caught around it."""
        return any(not guard.isdisjoint(exceptions) for guard in self._guards)

    @contextmanager
    def uncertain(self) -> Generator[None]:
        """What may not run."""
        certain, self.certain = self.certain, False
        try:
            yield
        finally:
            self.certain = certain

    @contextmanager
    def guarded(self, exceptions: frozenset[str]) -> Generator[None]:
        """What stands in a ``try`` that catches ``exceptions``."""
        guards = self._guards
        self._guards = (*guards, exceptions)
        try:
            yield
        finally:
            self._guards = guards

    @contextmanager
    def inside(self, scope: Scope) -> Generator[None]:
        """What stands in a scope of its own."""
        scopes = self.scopes
        self.scopes = [*scopes, scope]
        try:
            yield
        finally:
            self.scopes = scopes


__all__ = ["WalkState"]
