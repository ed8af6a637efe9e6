from __future__ import annotations

import ast
import json
import os
import unittest
from types import ModuleType
from typing import Any

from vitrine._completion import complete
from vitrine._help import module_summary


class ModuleHelpTests(unittest.TestCase):
    """``help()`` of modules."""

    def test_a_large_module_is_its_purpose_and_its_names(self) -> None:
        summary = module_summary(os) or ""

        self.assertTrue(summary.startswith("Help on module os:\n\nOS routines for "))
        self.assertRegex(summary, r"\n\nCLASSES\n    \w+")
        self.assertRegex(summary, r"\n\nFUNCTIONS\n    [^#]*getcwd")
        self.assertRegex(summary, r"\n\nhelp\(os\.\w+\) explains one of them\.$")
        self.assertLess(max(map(len, summary.splitlines())), 110)

    def test_a_small_module_is_left_to_python(self) -> None:
        self.assertIsNone(module_summary(json))

    def test_an_installed_package_is_its_names_too(self) -> None:
        package = ModuleType("probe", "Probes.")
        package.__dict__.update(
            __path__=["/lib/site-packages/probe"],
            __file__="/lib/site-packages/probe/__init__.py",
            measure=print,
            Scale=int,
        )

        self.assertEqual(
            module_summary(package),
            "Help on module probe:\n\nProbes.\n\nFUNCTIONS\n    measure\n\nCLASSES\n    Scale\n\n"
            "help(probe.measure) explains one of them.",
        )

    def test_names_are_read_and_nothing_is_loaded_for_them(self) -> None:
        class Lazy(ModuleType):
            def __getattr__(self, name: str) -> Any:
                raise AssertionError(name)

        lazy = Lazy("lazy")
        lazy.__dict__["__all__"] = [f"name_{number}" for number in range(300)]

        self.assertIn("name_299", module_summary(lazy) or "")


class CompletionTests(unittest.TestCase):
    """Completion of attributes."""

    def labels(self, value: object, code: str) -> list[str]:
        """What is offered."""
        return [option["label"] for option in complete({"thing": value}, code)["options"]]

    def test_no_attribute_is_looked_at(self) -> None:
        class Fragile:
            good = 1

            @property
            def bad(self) -> int:
                raise OSError

            def __getattr__(self, name: str) -> Any:
                raise OSError(name)

            def __dir__(self) -> list[str]:
                return ["good", "bad", "lazy", "_own"]

        self.assertEqual(self.labels(Fragile(), "thing."), ["bad", "good", "lazy"])
        self.assertEqual(self.labels(Fragile(), "thing.l"), ["lazy"])
        self.assertIn("_own", self.labels(Fragile(), "thing._"))

    def test_of_a_module_with_many_names_those_are_offered_that_fit(self) -> None:
        self.assertEqual(self.labels(ast, "thing.NamedE"), ["NamedExpr"])
        self.assertIn("NodeVisitor", self.labels(ast, "thing.N"))
