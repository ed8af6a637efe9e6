from __future__ import annotations

import unittest
from typing import Any

from vitrine._errors import SkillSyntaxError, SkillValidationError
from vitrine._skill_inspection import inspect_skill


def described(source: str) -> dict[str, Any]:
    """Inspect a skill called ``probe``."""
    return inspect_skill("probe", source)


def parameters(source: str) -> dict[str, dict[str, Any]]:
    """The parameters of a skill, by name."""
    return {item.pop("name"): item for item in described(source)["parameters"]}


class Parameters(unittest.TestCase):
    """What ``run`` takes."""

    def test_types_follow_the_annotations(self) -> None:
        found = parameters(
            "async def run(a, b: float = 1.5, c: list = None, d: dict[str, int] = {}, *args,"
            " e: bool = False, **kw): ..."
        )

        types = {name: item["type"] for name, item in found.items()}
        expected = {"a": "string", "b": "number", "c": "array", "d": "object", "e": "boolean"}
        self.assertEqual(types, expected)

    def test_every_known_annotation_has_its_type(self) -> None:
        expected = {
            "str": "string",
            "int": "integer",
            "list[int]": "array",
            "typing.Sequence[str]": "array",
            "Iterable": "array",
            "Mapping[str, int]": "object",
            "'int'": "integer",
            "int | None": "integer",
            "None | int": "integer",
            "Optional[dict]": "object",
            "int | str": "string",
            "Literal['a']": "string",
            "Path": "string",
            "'not python('": "string",
        }
        for annotation, kind in expected.items():
            with self.subTest(annotation):
                self.assertEqual(parameters(f"def run(x: {annotation}): ...")["x"]["type"], kind)

    def test_a_parameter_with_a_default_is_optional(self) -> None:
        found = parameters("def run(a, /, b, c=1, *, d, e=2): ...")

        required = {name: item["required"] for name, item in found.items()}
        expected = {"a": True, "b": True, "c": False, "d": True, "e": False}
        self.assertEqual(required, expected)
        self.assertNotIn("default", found["a"])
        self.assertEqual((found["c"]["default"], found["e"]["default"]), (1, 2))

    def test_a_default_that_json_cannot_hold_is_its_source_text(self) -> None:
        found = parameters(
            "def run(a=Path('x'), b=b'x', c=(1, 2), d=-1.5, e=None, f={1: 2}, g=1e999, h=[{}]): ..."
        )

        defaults = {name: item["default"] for name, item in found.items()}
        expected: dict[str, object] = {
            "a": "Path('x')",
            "b": "b'x'",
            "c": "(1, 2)",
            "d": -1.5,
            "e": None,
            "f": "{1: 2}",
            "g": "1e999",
            "h": [{}],
        }
        self.assertEqual(defaults, expected)

    def test_namespaces_are_no_parameters_of_the_caller(self) -> None:
        found = parameters("def run(tools, n, skills, workflows, artifacts, deps=None): ...")

        self.assertEqual(list(found), ["n"])


class Docstrings(unittest.TestCase):
    """What the author wrote about it."""

    def test_the_module_describes_before_run_does(self) -> None:
        module, run = (
            "'''Of the module.\n\nMore.'''\n",
            "def run():\n    '''Of run.\n\n    More.'''\n",
        )

        self.assertEqual(described(module + run)["description"], "Of the module.")
        self.assertEqual(described(run)["description"], "Of run.")
        self.assertEqual(described("def run(): ...")["description"], "")

    def test_the_args_section_describes_parameters(self) -> None:
        source = '''
def run(path: str, limit=3, *, plain=True):
    """Read a file.

    Args:
        path (str): Where it lies,
            relative to the workspace: or not.
        limit: How much of it.

            A second paragraph.
        *plain: Without markup.

    Returns:
        path: Not the parameter.
    """
'''
        found = parameters(source)

        descriptions = {name: item["description"] for name, item in found.items()}
        expected = {
            "path": "Where it lies, relative to the workspace: or not.",
            "limit": "How much of it. A second paragraph.",
            "plain": "Without markup.",
        }
        self.assertEqual(descriptions, expected)

    def test_param_fields_describe_parameters(self) -> None:
        source = (
            'def run(a, b):\n    """Do.\n\n    :param a: One.\n    :param str b: Two\n'
            '        lines.\n    """'
        )

        found = parameters(source)

        self.assertEqual([item["description"] for item in found.values()], ["One.", "Two lines."])

    def test_prose_with_a_colon_is_no_description(self) -> None:
        source = 'def run(a):\n    """Do.\n\n    Note:\n        a: is not described here.\n    """'

        self.assertEqual(parameters(source)["a"]["description"], "")


class Refusals(unittest.TestCase):
    """What cannot be a skill."""

    def test_nothing_is_run(self) -> None:
        described("import not_there\nprint(1 / 0)\nasync def run(): ...")

    def test_run_may_be_plain_or_asynchronous(self) -> None:
        described("def run(): ...")
        described("async def run(): ...")
        described("try:\n    import x\nexcept ImportError:\n    def run(): ...")

    def test_without_run_at_top_level_it_is_no_skill(self) -> None:
        for source in (
            "x = 1",
            "class A:\n    async def run(self): ...",
            "def f():\n    def run(): ...",
        ):
            with (
                self.subTest(source),
                self.assertRaisesRegex(SkillValidationError, "must define 'async def run"),
            ):
                described(source)

    def test_bad_syntax_names_the_line(self) -> None:
        with self.assertRaises(SyntaxError) as raised:
            described("def run():\n    pass\n  x = 1")

        self.assertIsInstance(raised.exception, SkillSyntaxError)
        self.assertRegex(str(raised.exception), r"^Syntax error in skill code: .* \(line 3\)$")
        self.assertEqual((raised.exception.lineno, raised.exception.filename), (3, "<skill:probe>"))

    def test_what_only_the_compiler_finds_is_a_syntax_error_too(self) -> None:
        for source in ("return 1\ndef run(): ...", "def run():\n    await x", "def run(): ...\0"):
            with self.subTest(source), self.assertRaises(SkillSyntaxError):
                described(source)

    def test_very_deep_nesting_is_a_syntax_error(self) -> None:
        with self.assertRaises(SkillSyntaxError):
            described("def run():\n    return " + "(" * 5000 + ")" * 5000)

    def test_names_that_cannot_be_called_are_refused(self) -> None:
        expected = {
            "bad-name": "identifier",
            "1x": "identifier",
            "": "identifier",
            "a/b": "identifier",
            "list": "Reserved skill name",
            "invoke": "Reserved skill name",
            "class": "keyword",
            "None": "keyword",
            "_x": "underscore",
        }
        for name, text in expected.items():
            with self.subTest(name), self.assertRaisesRegex(ValueError, text):
                inspect_skill(name, "def run(): ...")


if __name__ == "__main__":
    unittest.main()
