"""Whether the names and modules that code asks for are there."""

from __future__ import annotations

import ast
import sys

from vitrine._check import _imports
from vitrine._check._findings import Findings
from vitrine._check._network_calls import NO_NETWORK
from vitrine._check._walk_state import WalkState
from vitrine._check._world import World


class LookupChecker:
    """Looks whether names and modules are there, each at the place where it is asked for."""

    def __init__(self, findings: Findings, world: World, state: WalkState) -> None:
        self._findings = findings
        self._world = world
        self._state = state

    def check_module(self, module: str, node: ast.stmt | ast.alias) -> None:
        """Look for a module that is imported."""
        rules = self._world.surroundings.rules
        if self._state.expects("ImportError", "ModuleNotFoundError"):
            return
        # What the gate refuses is found beforehand, wherever it is.
        if rules is not None and not rules.permits(module):
            return
        root = module.partition(".")[0]
        missing = root if _imports.is_missing(root) else _imports.missing_submodule(module)
        if missing is None or self._world.is_mentioned(root) or self._world.makes_modules:
            return
        advice = _imports.advice(root, self._world)
        self._findings.add(
            self._state.severity(),
            "IMPORT_NOT_FOUND",
            f"No module named {missing!r}",
            span=self._findings.span_of(node),
            python_type="ModuleNotFoundError",
            suggestion=advice,
            module=root,
            network=advice == NO_NETWORK,
        )

    def check_name(self, node: ast.Name) -> None:
        """Look for a name whose value is asked for."""
        name = node.id
        world, state = self._world, self._state
        if state.is_local(name) or world.has_name(name):
            return
        known = world.module.names if state.deferred else state.bound
        if name in known or name in world.declared_global:
            return
        if world.has_star or world.makes_names or state.expects("NameError", "UnboundLocalError"):
            return
        severity = state.severity(but=world.may_be_made(name))
        if name in world.module.names:
            if severity == "error":
                self._findings.add(
                    severity,
                    "UNBOUND_NAME",
                    f"name {name!r} is not defined yet",
                    span=self._findings.span_of(node),
                    python_type="NameError",
                    suggestion=f"{name} gets its value further down; move that above this line.",
                )
            return
        self._findings.add(
            severity,
            "UNKNOWN_NAME",
            f"name {name!r} is not defined",
            span=self._findings.span_of(node),
            python_type="NameError",
            suggestion=self._meant(name),
            name=name,
        )

    def _meant(self, name: str) -> str:
        if name in sys.stdlib_module_names:
            return f"Write `import {name}` above."
        meant = self._world.suggest(name, self._world.visible_names())
        return "" if meant is None else f"Did you mean `{meant}`?"


__all__ = ["LookupChecker"]
