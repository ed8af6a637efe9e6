"""The names that session code finds: ``tools skills workflows artifacts deps``."""

from __future__ import annotations

import builtins
import sys
from types import ModuleType
from typing import Any

from vitrine._artifacts import ArtifactsNamespace
from vitrine._codex_tools import CodexTools, forget_functions
from vitrine._deps import DepsNamespace
from vitrine._errors import install_errors
from vitrine._operation import Caller
from vitrine._skills import SkillRunner, SkillsNamespace, forget_skills
from vitrine._tools import ToolsNamespace, forget_tools


class Namespaces:
    """The namespaces of one session, all on one bridge."""

    def __init__(self, bridge: Caller) -> None:
        # Skills see the namespaces, one of which runs the skills.
        environment: dict[str, Any] = {}
        self.tools = ToolsNamespace(bridge)
        self.skills = SkillsNamespace(bridge, SkillRunner(environment))
        self.artifacts = ArtifactsNamespace(bridge)
        self.deps = DepsNamespace(bridge)
        self.codex_tools = CodexTools(bridge)
        self.install(environment)

    def install(self, names: dict[str, Any]) -> None:
        """Put the namespaces into ``names``, over whatever has taken their place.

        The error classes become builtins. Called before every run: what is known of
        skills is forgotten then, since others may have changed them.
        """
        forget_skills(self.skills)
        install_errors()
        names.update(
            tools=self.tools,
            skills=self.skills,
            workflows=self.skills,
            artifacts=self.artifacts,
            deps=self.deps,
        )

    def classes(self) -> dict[str, type]:
        """The classes of the namespaces, by name."""
        return {
            "tools": ToolsNamespace,
            "skills": SkillsNamespace,
            "artifacts": ArtifactsNamespace,
            "deps": DepsNamespace,
        }

    def tools_changed(self) -> None:
        """Ask the page anew about its tools."""
        forget_tools(self.tools)
        forget_functions(self.codex_tools)


def build_namespaces(bridge: Caller) -> Namespaces:
    """Make the namespaces of a session over its bridge."""
    return Namespaces(bridge)


def new_main() -> dict[str, Any]:
    """A fresh ``__main__``: pickling and ``dataclasses`` look it up in ``sys.modules``."""
    module = ModuleType("__main__")
    sys.modules["__main__"] = module
    module.__dict__["__builtins__"] = builtins
    return module.__dict__


__all__ = ["Namespaces", "build_namespaces", "new_main"]
