from __future__ import annotations

import asyncio
import datetime
import enum
import typing
import unittest
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, NewType

from memory_bridge import Arguments, MemoryBridge
from vitrine import ToolDefinitionError, ToolError
from vitrine._tools._definition import DefinedTool, Definitions
from vitrine._tools._schema import TypedSignature, fitted, schema_of


class Colour(enum.Enum):
    """Of one type."""

    RED = "red"
    BLUE = "blue"


class Mixed(enum.Enum):
    """Of two."""

    ONE = 1
    TWO = "two"


type Tree = dict[str, Tree] | int
UserId = NewType("UserId", int)


class Schemas(unittest.TestCase):
    """Type hints as JSON Schema."""

    def test_hints(self) -> None:
        cases: Any = [
            (int, {"type": "integer"}),
            (float, {"type": "number"}),
            (str, {"type": "string"}),
            (bool, {"type": "boolean"}),
            (None, {"type": "null"}),
            (bytes, {"type": "string", "format": "binary"}),
            (datetime.date, {"type": "string", "format": "date"}),
            (list, {"type": "array"}),
            (list[int], {"type": "array", "items": {"type": "integer"}}),
            (set[str], {"type": "array", "items": {"type": "string"}}),
            (Sequence[float], {"type": "array", "items": {"type": "number"}}),
            (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
            (
                tuple[int, str],
                {
                    "type": "array",
                    "items": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
                    "minItems": 2,
                    "maxItems": 2,
                },
            ),
            (dict, {"type": "object"}),
            (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
            (
                Mapping[str, list[int]],
                {
                    "type": "object",
                    "additionalProperties": {"type": "array", "items": {"type": "integer"}},
                },
            ),
            (int | str, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
            (typing.Optional[int], {"anyOf": [{"type": "integer"}, {"type": "null"}]}),  # noqa: UP045
            (typing.Union[int, str], {"anyOf": [{"type": "integer"}, {"type": "string"}]}),  # noqa: UP007
            (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
            (Literal["a", 1], {"enum": ["a", 1]}),
            (Colour, {"type": "string", "enum": ["red", "blue"]}),
            (Mixed, {"enum": [1, "two"]}),
            (Annotated[int, "How many"], {"type": "integer", "description": "How many"}),
            (Annotated[int, 5], {"type": "integer"}),
            (UserId, {"type": "integer"}),
            (
                Tree,
                {"anyOf": [{"type": "object", "additionalProperties": {}}, {"type": "integer"}]},
            ),
            (Any, {}),
            (object, {}),
            (Schemas, {"type": "object"}),
        ]
        for hint, expected in cases:
            with self.subTest(hint=hint):
                self.assertEqual(schema_of(hint), expected)

    def test_defaults_are_copied_where_json_has_them(self) -> None:
        def f(
            a: int,
            b: str = "x",
            c: Colour = Colour.RED,
            d: set[int] = {1},  # noqa: B006
            e: object = object,
            g: float = float("nan"),
        ) -> None: ...

        schema = TypedSignature(f, "f").input_schema()

        self.assertEqual(schema["required"], ["a"])
        defaults = {name: each.get("default", "-") for name, each in schema["properties"].items()}
        self.assertEqual(defaults, {"a": "-", "b": "x", "c": "red", "d": [1], "e": "-", "g": "-"})

    def test_the_result_has_a_schema_where_the_hint_says_something(self) -> None:
        def known() -> list[int]: ...  # pyright: ignore
        def unknown() -> Schemas: ...  # pyright: ignore
        def anything() -> Any: ...

        self.assertEqual(
            TypedSignature(known, "f").output_schema(),
            {"type": "array", "items": {"type": "integer"}},
        )
        self.assertIsNone(TypedSignature(unknown, "f").output_schema())
        self.assertIsNone(TypedSignature(anything, "f").output_schema())


class Values(unittest.TestCase):
    """Values of JSON as their hints mean them."""

    def test_what_json_does_not_have(self) -> None:
        cases: Any = [
            ("red", Colour, Colour.RED),
            (Colour.BLUE, Colour, Colour.BLUE),
            ("pink", Colour, "pink"),
            ([1, 2], set[int], {1, 2}),
            ([1], frozenset, frozenset({1})),
            ([1, "a"], tuple[int, str], (1, "a")),
            ([1, 2], tuple[float, ...], (1.0, 2.0)),
            (["red"], list[Colour], [Colour.RED]),
            ({"a": "red"}, dict[str, Colour], {"a": Colour.RED}),
            ("red", Colour | None, Colour.RED),
            (None, Colour | None, None),
            ("red", str | Colour, "red"),
            (1, int | float, 1),
            (1, float | None, 1.0),
            (["red"], list[Colour] | None, ["red"]),
            ([[1]], set[Any], [[1]]),
            (True, float, True),
            ((1, 2), Sequence[int], (1, 2)),
            (3, UserId, 3),
        ]
        for value, hint, expected in cases:
            with self.subTest(value=value, hint=hint):
                made = fitted(value, hint)
                self.assertEqual(made, expected)
                self.assertEqual(repr(made), repr(expected))


class Functions(unittest.TestCase):
    """Functions that are tools."""

    def setUp(self) -> None:
        self.bridge = MemoryBridge(tools__register=lambda asked: asked["name"])
        self.addCleanup(self.bridge.close)
        self.definitions = Definitions()
        self.changes = 0
        self.definitions.connect(self.bridge, self._count)

    def _count(self) -> None:
        self.changes += 1

    def define(self, function: Callable[..., Any], timeout: float | None = None) -> Arguments:
        self.definitions.add(DefinedTool(function, timeout))
        return self.bridge.asked[-1][1]

    def refusal(self, function: Any, timeout: float | None = None) -> str:
        with self.assertRaises(ToolDefinitionError) as caught:
            DefinedTool(function, timeout)
        return str(caught.exception)

    def test_the_page_is_told_what_it_is(self) -> None:
        def greet(name: str, times: int = 1) -> str:
            """Greet somebody.

            Politely.
            """
            return f"Hello {name}" * times

        told = self.define(greet, 0.5)

        self.assertEqual(told["name"], "greet")
        self.assertEqual(told["description"], "Greet somebody.\n\nPolitely.")
        self.assertEqual(told["outputSchema"], {"type": "string"})
        self.assertEqual(told["timeout"], 500)
        self.assertIn("def greet", told["source"])
        self.assertEqual(self.changes, 1)
        self.assertEqual(
            self.definitions.apply("greet", {"name": "A", "times": 2}), "Hello AHello A"
        )

    def test_t98_what_is_missing_is_named(self) -> None:
        def no_hint(p, q: int) -> int:  # noqa: ANN001  # pyright: ignore
            return q

        def no_result(p: int):  # noqa: ANN202
            return p

        def unresolved(p: Nowhere) -> int:  # noqa: F821  # pyright: ignore
            return 1

        def starred(*p: int) -> int:
            return 1

        self.assertEqual(self.refusal(no_hint), "Missing type hint for parameter 'p' in no_hint")
        self.assertEqual(self.refusal(no_result), "Missing return type annotation for no_result")
        self.assertIn("'Nowhere' is not defined", self.refusal(unresolved))
        self.assertIn("Parameter '*p'", self.refusal(starred))
        self.assertIn("<lambda>", self.refusal(lambda: 1))
        self.assertIn("not 'type'", self.refusal(Schemas))
        self.assertIn("timeout", self.refusal(self.test_t98_what_is_missing_is_named, 0))
        self.assertIn(ToolError, ToolDefinitionError.__mro__)
        self.assertEqual(self.bridge.asked, [])

    def test_t99_no_docstring_is_a_warning_only(self) -> None:
        from vitrine._tools import _definition as module

        def bare(x: int) -> int:
            return x

        self.addCleanup(setattr, module, "DEFINITIONS", module.DEFINITIONS)
        module.DEFINITIONS = self.definitions  # pyright: ignore
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            made = module.tool(bare)

        self.assertEqual([str(each.message) for each in heard], ["Tool 'bare' has no docstring"])
        self.assertEqual(heard[0].filename, __file__)
        self.assertEqual(self.bridge.asked[-1][1]["description"], "<no description>")
        self.assertEqual(made(3), 3)

    def test_arguments_go_where_the_signature_wants_them(self) -> None:
        def f(a: int, /, b: set[int], *, c: Colour = Colour.RED) -> list[object]:
            return [a, b, c]

        self.define(f)

        apply = self.definitions.apply
        self.assertEqual(apply("f", {"b": [1], "a": 1}), [1, {1}, Colour.RED])
        self.assertEqual(apply("f", {"a": 1, "b": [], "c": "blue"}), [1, set(), Colour.BLUE])
        with self.assertRaises(TypeError):
            apply("f", {"b": [1]})

    def test_of_an_asynchronous_function_the_coroutine_comes(self) -> None:
        async def later(x: int) -> int:
            return x + 1

        self.define(later)

        coroutine: Any = self.definitions.apply("later", {"x": 1})
        self.assertTrue(asyncio.iscoroutine(coroutine))
        self.assertEqual(self.bridge.run_coroutine(coroutine), 2)

    def test_what_the_page_refuses_is_not_there(self) -> None:
        def f() -> int:
            return 1

        def refuse(_: Arguments) -> object:
            raise ValueError("taken")

        self.bridge.handlers["tools.register"] = refuse
        with self.assertRaisesRegex(ValueError, "taken"):
            self.define(f)
        with self.assertRaisesRegex(ToolError, "not defined by code of this interpreter"):
            self.definitions.apply("f", {})

    def test_a_new_session_knows_nothing_of_the_old_one(self) -> None:
        def f() -> int:
            return 1

        self.define(f)
        self.definitions.connect(self.bridge, self._count)

        with self.assertRaises(ToolError):
            self.definitions.apply("f", {})
        with self.assertRaisesRegex(ToolDefinitionError, "no session"):
            Definitions().add(DefinedTool(f, None))


if __name__ == "__main__":
    unittest.main()
