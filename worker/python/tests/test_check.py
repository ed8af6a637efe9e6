from __future__ import annotations

import bisect
import pkgutil
import sys
import unittest
from collections.abc import Callable
from typing import Any

from vitrine._check import Surroundings, check
from vitrine._check._imports import is_missing
from vitrine._depth import is_too_deep
from vitrine._import_gate import rules_for


def found(code: str, **surroundings: Any) -> list[str]:
    """What is found in ``code``, as ``error UNKNOWN_NAME 1``."""
    here = Surroundings(names=surroundings.pop("names", {}), **surroundings)
    report = check(code, "<test>", here)
    return [f"{it['severity']} {it['code']} {it['line']}" for it in report["findings"]]


def uses(code: str) -> list[dict[str, Any]]:
    """The uses of tools that the page is to judge."""
    return check(code, "<test>", Surroundings(names={}))["uses"]


class Certainty(unittest.TestCase):
    """An error only where the run would certainly fail."""

    def test_the_order_of_statements_counts_at_the_top(self) -> None:
        self.assertEqual(found("a = b\nb = 1"), ["error UNBOUND_NAME 1"])
        self.assertEqual(found("b = 1\na = b"), [])
        self.assertEqual(found("def f(): return later\nlater = 1\nf()"), [])

    def test_a_called_function_runs_as_certainly_as_its_call(self) -> None:
        self.assertEqual(found("def f():\n    nope\nf()"), ["error UNKNOWN_NAME 2"])
        self.assertEqual(found("def f():\n    nope\nif f: f()"), ["warning UNKNOWN_NAME 2"])
        self.assertEqual(found("@print\ndef f():\n    nope\nf()"), ["warning UNKNOWN_NAME 3"])
        self.assertEqual(found("def f():\n    yield nope\nf()"), ["warning UNKNOWN_NAME 2"])
        self.assertEqual(found("async def f():\n    nope\nf()"), ["warning UNKNOWN_NAME 2"])
        self.assertEqual(found("async def f():\n    nope\nawait f()"), ["error UNKNOWN_NAME 2"])

    def test_what_follows_an_early_exit_may_not_run(self) -> None:
        self.assertEqual(found("if input(): raise SystemExit\nnope"), ["warning UNKNOWN_NAME 2"])
        self.assertEqual(found("raise SystemExit\nnope"), [])
        self.assertEqual(found("def f():\n    exit()\nf()\nnope"), ["warning UNKNOWN_NAME 4"])

    def test_a_block_that_nothing_swallows_is_certain(self) -> None:
        self.assertEqual(found("with open('f') as f:\n    nope"), ["error UNKNOWN_NAME 2"])
        self.assertEqual(found("try:\n    nope\nfinally:\n    pass"), ["error UNKNOWN_NAME 2"])
        self.assertEqual(found("with print() as f:\n    nope"), ["warning UNKNOWN_NAME 2"])

    def test_methods_do_not_see_the_names_of_their_class(self) -> None:
        code = "class A:\n    x = 1\n    y = x\n    def m(self):\n        return x"
        self.assertEqual(found(code), ["warning UNKNOWN_NAME 5"])

    def test_one_mistake_is_said_once(self) -> None:
        self.assertEqual(found("def f():\n    nope\nf()\nf()"), ["error UNKNOWN_NAME 2"])


class Names(unittest.TestCase):
    """What is known before the code runs."""

    def test_names_of_the_session_are_known(self) -> None:
        self.assertEqual(found("earlier", names={"earlier": 1}), [])

    def test_an_object_that_lies_about_its_class_is_not_asked(self) -> None:
        class Liar:
            @property
            def __class__(self) -> type:  # pyright: ignore[reportIncompatibleMethodOverride]
                raise AssertionError("it was asked")

        self.assertEqual(found("nope", names={"liar": Liar()}), ["error UNKNOWN_NAME 1"])


class Uses(unittest.TestCase):
    """What the page is told of tools."""

    def test_arguments_with_their_values(self) -> None:
        (use,) = uses("tools.a.b(1, c=[2, 'x'], d=f'{1}', e=len)")

        call = use["call"]
        self.assertEqual((use["tool"], use["callable"], use["certain"]), ("a", "b", True))
        self.assertEqual([it["literal"] for it in call["positional"]], ["1"])
        named = {name: (it["literal"], it["kind"]) for name, it in call["named"]}
        self.assertEqual(named["c"], ('[2,"x"]', "array"))
        self.assertEqual(named["d"], (None, "string"))
        self.assertEqual(named["e"], (None, None))

    def test_methods_of_a_tool_are_no_callables(self) -> None:
        found_uses = uses(
            "tools.a.call_sync(x=1); tools.a.b.signature(); tools.list(); tools.a.b.c"
        )

        told = [(it["callable"], it["missing"], it["call"] is not None) for it in found_uses]
        self.assertEqual(told, [(None, None, True), ("b", None, False), ("b", "c", False)])

    def test_a_variable_of_the_same_name_is_no_namespace(self) -> None:
        self.assertEqual(
            uses("def f(tools):\n    tools.a()\nfor skills in []:\n    skills.b()"), []
        )


class Imports(unittest.TestCase):
    """What cannot be imported here."""

    def test_the_standard_library_is_known_as_it_is(self) -> None:
        # Whether the list of what this Pyodide leaves out is still right.
        there = {it.name for it in pkgutil.iter_modules()} | {
            *sys.builtin_module_names,
            *sys.modules,
        }
        for name in sorted(sys.stdlib_module_names):
            if not name.startswith("_"):
                with self.subTest(name):
                    self.assertEqual(is_missing(name), name not in there)

    def test_what_the_gate_refuses_is_an_error_wherever_it_is(self) -> None:
        rules = rules_for("isolated", None)
        self.assertEqual(found("def f():\n    import js", rules=rules), ["error IMPORT_REFUSED 2"])


class Depth(unittest.TestCase):
    """What is nested deeper than Python can read here is not read."""

    def test_deep_code_is_not_parsed(self) -> None:
        for code in ("[" * 150 + "]" * 150, "-" * 900 + "1", "+".join("1" * 900), "x" + ".a" * 900):
            with self.subTest(code[:10]):
                self.assertTrue(is_too_deep(code))
                self.assertEqual(found(code), ["warning NOT_CHECKED 1"])

    def test_the_deepest_that_is_let_through_can_be_read(self) -> None:
        shapes: dict[str, Callable[[int], str]] = {
            "brackets": lambda n: "[" * n + "]" * n,
            "calls": lambda n: "f(" * n + ")" * n,
            "signs": lambda n: "-" * n + "1",
            "sums": lambda n: "+".join("1" * n),
            "chains": lambda n: "x" + ".a" * n,
            "lambdas": lambda n: "lambda:" * n + "1",
            "comprehensions": lambda n: "[" * n + "1" + " for i in x]" * n,
            "mixed": lambda n: "(lambda:[-" * n + "1" + "])" * n,
        }
        for name, shape in shapes.items():
            sizes = range(1, 2000)
            size = bisect.bisect_left(sizes, x=True, key=lambda n: is_too_deep(shape(n)))
            with self.subTest(name, size=size):
                self.assertGreater(size, 10)
                compile(shape(size), "<test>", "exec")

    def test_ordinary_code_is_not_deep(self) -> None:
        table = "rows = [\n" + "    {'a': [1, 2], 'b': -3},\n" * 400 + "]\n"
        self.assertFalse(is_too_deep(table + "print('(((')\n" * 200))


class Files(unittest.TestCase):
    """The text of a file is a module, and no cell."""

    def of_file(self, code: str) -> list[dict[str, Any]]:
        """What is found in a file."""
        return check(code, "a.py", Surroundings(names={}), is_module=True)["findings"]

    def test_a_module_has_no_fault(self) -> None:
        code = "from __future__ import annotations\n\ndef f() -> int:\n    return 1\n"
        self.assertEqual(self.of_file(code), [])
        self.assertEqual(self.of_file(""), [])

    def test_a_file_has_nothing_that_cells_alone_have(self) -> None:
        for code in ("import asyncio\nawait asyncio.sleep(0)", "%pip install attrs", "!ls"):
            with self.subTest(code=code):
                self.assertNotIn("SYNTAX", [it["code"] for it in check_cell(code)])
                [fault] = self.of_file(code)
                self.assertEqual((fault["severity"], fault["code"]), ("error", "SYNTAX"))
                self.assertIn("A file is a module", fault["suggestion"])

    def test_says_what_is_wrong_and_where(self) -> None:
        [fault] = self.of_file("x = 1\nif x\n    y = 2\n")
        self.assertEqual((fault["message"], fault["line"]), ("expected ':'", 2))
        self.assertNotIn("A file is a module", fault["suggestion"])


def check_cell(code: str) -> list[dict[str, Any]]:
    """What is found in a cell."""
    return check(code, "<test>", Surroundings(names={}))["findings"]
