from __future__ import annotations

import ast
import asyncio
import inspect
import traceback
import unittest
from typing import Any

from vitrine._codegen._program import is_full_program, prepare_program


class Awaitable:
    """Stands for an operation: a plain call waits, ``call_async`` can be awaited."""

    def __init__(self) -> None:
        self.forms: list[str] = []

    def __call__(self, value: object = None) -> object:
        self.forms.append("plain")
        return value

    async def call_async(self, value: object = None) -> object:
        self.forms.append("async")
        return value


class Programs(unittest.TestCase):
    """Snippets and full programs, as their tree says."""

    def run_program(self, source: str, **names: object) -> dict[str, Any]:
        """Run the program as the session's runner does, and return its variables."""
        tree = prepare_program(ast.parse(source, "<main.py>"))
        code = compile(tree, "<main.py>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        found: dict[str, Any] = {"__name__": "__main__", **names}
        result = eval(code, found)
        if inspect.iscoroutine(result):
            asyncio.new_event_loop().run_until_complete(result)
        return found

    def test_g17_a_snippet_may_await_and_return_at_its_top(self) -> None:
        source = "import asyncio\nawait asyncio.sleep(0)\nx = 1\nif x:\n    return\nx = 2\n"
        self.assertEqual(self.run_program(source)["x"], 1)

    def test_g19_the_tree_decides_what_is_a_full_program(self) -> None:
        cases = {
            "x = \"if __name__ == '__main__': async def main\"": False,
            "# async def main\nx = 1": False,
            "async def main():\n    pass": True,
            "async def _main():\n    pass": True,
            "def main():\n    pass": False,
            "class A:\n    async def main(self): ...": False,
            "if __name__ == '__main__':\n    pass": True,
        }
        for source, expected in cases.items():
            with self.subTest(source):
                self.assertIs(is_full_program(ast.parse(source)), expected)

    def test_a_full_program_runs_once_whether_or_not_it_starts_itself(self) -> None:
        body = "runs = []\nasync def main():\n    runs.append(1)\n"
        for ending in ("", "await main()\n", "if __name__ == '__main__':\n    await main()\n"):
            with self.subTest(ending):
                self.assertEqual(self.run_program(body + ending)["runs"], [1])

    def test_a_string_of_several_lines_stays_as_it_is(self) -> None:
        source = 'text = """a\n  b\nc"""\nawait nothing()\n'

        async def nothing() -> None:
            return None

        self.assertEqual(self.run_program(source, nothing=nothing)["text"], "a\n  b\nc")

    def test_docstrings_comments_and_future_imports_may_stand_first(self) -> None:
        source = (
            '# why\n"""Doc."""\nfrom __future__ import annotations\nfrom math import *\nx = pi\n'
        )
        self.assertGreater(self.run_program(source)["x"], 3)

    def test_variables_of_a_snippet_are_those_of_its_functions(self) -> None:
        source = (
            "count: int = 0\nrows: list[int]\n"
            "def add():\n    global count\n    count += 1\n"
            "add()\nadd()\nsquares = [i * i for i in range(3)]\n"
            "total = sum(n for n in squares)\n"
            "if (m := max(squares)) > 1:\n    big = m\n"
            "class Row:\n    value: int = count\n"
            "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    kind = type(error).__name__\n"
            "import os.path\n"
        )
        found = self.run_program(source)
        self.assertEqual((found["count"], found["total"], found["big"]), (2, 5, 4))
        self.assertEqual((found["Row"].value, found["kind"]), (2, "ZeroDivisionError"))

    def test_g24_lines_of_errors_are_those_of_the_program(self) -> None:
        source = "a = 1\n\ndef fail():\n    raise ValueError(a)\n\nfail()\n"
        lines: list[int | None] = []
        try:
            self.run_program(source)
        except ValueError as error:
            frames = traceback.extract_tb(error.__traceback__)
            lines = [frame.lineno for frame in frames if frame.filename == "<main.py>"]
        self.assertEqual(lines[-2:], [6, 4])

    def test_g24_lines_stay_where_a_program_returns(self) -> None:
        source = "a = 1\n\ndef fail():\n    raise ValueError(a)\n\nif a:\n    fail()\nreturn\n"
        lines: list[int | None] = []
        try:
            self.run_program(source)
        except ValueError as error:
            frames = traceback.extract_tb(error.__traceback__)
            lines = [frame.lineno for frame in frames if frame.filename == "<main.py>"]
        self.assertEqual(lines[-2:], [7, 4])

    def test_g17_what_returns_at_its_top_is_a_snippet_whatever_else_it_has(self) -> None:
        asking = "x = 1\nif x:\n    if __name__ == '__main__':\n        x = 2\n    return\nx = 3\n"
        self.assertEqual(self.run_program(asking)["x"], 2)
        asking = "x = 1\nif __name__ == '__main__':\n    x = 2\nreturn\n"
        self.assertEqual(self.run_program(asking)["x"], 2)
        running = "runs = []\nasync def main():\n    runs.append(1)\nif runs:\n    return\n"
        self.assertEqual(self.run_program(running)["runs"], [1])

    def test_g23_what_is_no_program_says_where(self) -> None:
        with self.assertRaises(SyntaxError) as caught:
            self.run_program("x = 1\nbreak\n")
        self.assertEqual(caught.exception.lineno, 2)

    def test_g50_a_gathered_call_can_be_awaited_and_a_plain_one_waits(self) -> None:
        cases = {
            "x = agent_io_tools.tool_call(1)": ["plain"],
            "agent_io_tools.tool_call(1)": ["plain"],
            "x = str(agent_io_tools.tool_call(1))": ["plain"],
            "xs = [agent_io_tools.tool_call(i) for i in (1, 2)]": ["plain", "plain"],
            "x = await asyncio.gather(agent_io_tools.tool_call(1))": ["async"],
            "x = await asyncio.gather(*[agent_io_tools.tool_call(i) for i in (1, 2)])": [
                "async",
                "async",
            ],
            "x = await asyncio.gather(*map(lambda i: agent_io_tools.tool_call(i), (1,)))": [
                "async"
            ],
            "xs = [agent_io_tools.tool_call(i) for i in (1,)]\ny = await asyncio.gather(*xs)": [
                "async"
            ],
            "xs = []\nxs.append(agent_io_tools.tool_call(1))\ny = await asyncio.gather(*xs)": [
                "async"
            ],
            "t = agent_io_tools.tool_call(1)\ny = await t": ["async"],
            "t = asyncio.create_task(agent_io_tools.tool_call(1))\ny = await t": ["async"],
            "from asyncio import gather as g\nx = await g(agent_io_tools.tool_call(1))": ["async"],
            "async with asyncio.TaskGroup() as all:\n"
            "    t = all.create_task(agent_io_tools.tool_call(1))": ["async"],
            "xs = []\ndef add(i):\n    xs.append(agent_io_tools.tool_call(i))\nadd(1)\n"
            "async def end():\n    return await asyncio.gather(*xs)\ny = await end()": ["async"],
            # Names of another function, and functions of another module, are no concern of a call.
            "def load():\n    rows = agent_io_tools.tool_call([1])\n    return rows[0]\n"
            "async def other(t):\n    rows = t()\n    return await rows\nx = load()": ["plain"],
            "class Line:\n    def run(self, x): return [x]\n    wait = create_task = run\n"
            "x = Line().run(agent_io_tools.tool_call(1))\n"
            "x += Line().create_task(agent_io_tools.tool_call(1))\n"
            "line = Line()\nx += line.wait(agent_io_tools.tool_call(1))": ["plain"] * 3,
        }
        for source, forms in cases.items():
            with self.subTest(source):
                tool_call = Awaitable()

                class Tools:
                    pass

                Tools.tool_call = tool_call  # pyright: ignore[reportAttributeAccessIssue]
                self.run_program("import asyncio\n" + source, agent_io_tools=Tools)
                self.assertEqual(tool_call.forms, forms)


if __name__ == "__main__":
    unittest.main()
