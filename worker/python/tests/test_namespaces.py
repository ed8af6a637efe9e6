from __future__ import annotations

import unittest
from typing import Any

from memory_bridge import MemoryBridge, MemorySkills, tool
from vitrine._namespaces import build_namespaces


class SessionNames(unittest.TestCase):
    """The names that session code finds."""

    def setUp(self) -> None:
        self.bridge = MemoryBridge(tools__get=lambda asked: tool(asked["name"]))
        self.addCleanup(self.bridge.close)
        self.namespaces = build_namespaces(self.bridge)

    def test_there_are_exactly_five(self) -> None:
        names: dict[str, Any] = {}

        self.namespaces.install(names)

        self.assertEqual(sorted(names), ["artifacts", "deps", "skills", "tools", "workflows"])
        self.assertIs(names["workflows"], names["skills"])
        self.assertEqual(self.bridge.asked, [])

    def test_skills_and_runs_can_catch_errors_by_their_names(self) -> None:
        page = MemorySkills(self.bridge)
        source = (
            "def run():\n    try: skills.nope\n    except (AttributeError, SkillError): return 1"
        )
        page.create({"name": "catches", "source": source})
        self.namespaces.install({})

        self.assertEqual(self.namespaces.skills.catches(), 1)
        self.assertEqual(eval("issubclass(SkillSyntaxError, WorkflowError)", {}), True)

    def test_install_puts_back_what_was_overwritten(self) -> None:
        names: dict[str, Any] = {"tools": 5, "mine": 1}

        self.namespaces.install(names)

        self.assertEqual((names["tools"], names["mine"]), (self.namespaces.tools, 1))

    def test_changed_tools_are_asked_for_anew(self) -> None:
        _ = self.namespaces.tools.echo
        self.namespaces.tools_changed()
        _ = self.namespaces.tools.echo

        self.assertEqual(self.bridge.methods(), ["tools.get"] * 2)

    def test_a_skill_changed_between_runs_is_looked_up_anew(self) -> None:
        page = MemorySkills(self.bridge)
        page.create({"name": "which", "source": "def run(old): ..."})
        self.assertEqual(self.namespaces.skills.which.signature(), "which(*, old: str)")

        page.create({"name": "which", "source": "def run(new): ..."})
        self.namespaces.install({})

        self.assertEqual(self.namespaces.skills.which.signature(), "which(*, new: str)")

    def test_names_of_the_session_do_not_reach_skills(self) -> None:
        page = MemorySkills(self.bridge)
        page.create({"name": "look", "source": "def run(): return tools"})
        names: dict[str, Any] = {}
        self.namespaces.install(names)
        names["tools"] = 5

        self.assertIs(self.namespaces.skills.look(), self.namespaces.tools)


if __name__ == "__main__":
    unittest.main()
