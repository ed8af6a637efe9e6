from __future__ import annotations

import asyncio
import traceback
import unittest
from typing import Any

from memory_bridge import MemoryBridge, MemorySkills
from vitrine._bridge import current_call
from vitrine._errors import SkillNotFoundError, SkillSyntaxError
from vitrine._namespaces import Namespaces
from vitrine._records import Skill

TRIPLE = "async def run(n: int) -> int:\n    return n * 3"


class Skills(unittest.TestCase):
    """The namespace ``skills`` over a page that keeps them in a dict."""

    def setUp(self) -> None:
        self.bridge = MemoryBridge(
            tools__get=lambda asked: {
                "name": asked["name"],
                "alias": asked["name"],
                "description": "",
                "tags": [],
                "dynamic": True,
                "callables": [],
            },
            tools__call=lambda asked: asked["arguments"].get("text"),
        )
        self.addCleanup(self.bridge.close)
        self.page = MemorySkills(self.bridge)
        self.skills: Any = Namespaces(self.bridge).skills

    def create(self, name: str, source: str) -> None:
        """Keep a skill, without the namespace."""
        self.page.create({"name": name, "source": source})


class SkillStore(Skills):
    """What is kept."""

    def test_create_returns_the_record(self) -> None:
        created = self.skills.create(name="triple", description="Triple", source=TRIPLE)

        expected = {"name": "triple", "description": "Triple", "params": {"n": "integer"}}
        self.assertEqual(created, expected)
        self.assertIsInstance(created, Skill)

    def test_a_bad_skill_never_reaches_the_page(self) -> None:
        for name, source, error in (
            ("bad-name", TRIPLE, ValueError),
            ("list", TRIPLE, ValueError),
            ("x", "y = 1", ValueError),
            ("x", "def run(", SyntaxError),
            ("x", 5, TypeError),
        ):
            with self.subTest(name=name, source=source), self.assertRaises(error):
                self.skills.create(name=name, source=source)
        self.assertEqual(self.bridge.asked, [])

    def test_create_runs_nothing(self) -> None:
        self.skills.create("loud", "1 / 0\nimport not_there\ndef run(): ...")

        with self.assertRaises(ZeroDivisionError):
            self.skills.loud()

    def test_list_search_and_get(self) -> None:
        self.assertEqual(self.skills.list(), [])
        self.create("triple", TRIPLE)

        self.assertEqual([it["name"] for it in self.skills.list()], ["triple"])
        self.assertEqual(self.skills.search("three", limit=1)[0].score, 0.5)
        got = self.skills.get("triple")
        self.assertEqual((got.source, got["source"]), (TRIPLE, TRIPLE))
        self.assertIsNone(self.skills.get("nope"))

    def test_delete_says_whether_there_was_one(self) -> None:
        self.create("triple", TRIPLE)
        self.skills.triple(n=1)

        self.assertEqual(
            (self.skills.delete("triple"), self.skills.delete("triple")), (True, False)
        )
        self.assertFalse(hasattr(self.skills, "triple"))

    def test_an_unknown_skill(self) -> None:
        with self.assertRaises(AttributeError) as by_attribute:
            self.skills.nope()
        with self.assertRaises(ValueError) as by_name:
            self.skills.invoke("nope")

        self.assertEqual(str(by_attribute.exception), "Skill not found: nope")
        self.assertEqual(str(by_name.exception), "Skill not found: nope")
        self.assertIsInstance(by_name.exception, SkillNotFoundError)

    def test_a_skill_deleted_elsewhere_is_an_attribute_error(self) -> None:
        self.create("triple", TRIPLE)
        triple = self.skills.triple
        self.page.create({"name": "outer", "source": "def run(): return skills.invoke('triple')"})
        self.bridge.handlers["skills.delete"]({"name": "triple"})

        with self.assertRaisesRegex(AttributeError, "^Skill not found: triple$"):
            triple(n=1)
        with self.assertRaises(SkillNotFoundError):
            self.skills.outer()

    def test_a_proxy_says_how_it_is_called(self) -> None:
        source = "'''Cut.'''\ndef run(text: str, limit: int = 3): ..."
        self.create("cut", source)

        self.assertEqual(self.skills.cut.signature(), "cut(*, text: str, limit: int = 3)")
        self.assertEqual(self.skills.cut.describe(), {"text": "string", "limit": "integer"})
        self.assertEqual((self.skills.cut.source, self.skills.cut.__doc__), (source, "Cut."))
        self.assertEqual(repr(self.skills.cut), "<skills.cut(*, text: str, limit: int = 3)>")
        self.assertIn("cut", dir(self.skills))


class SkillRuns(Skills):
    """How a skill runs."""

    def test_plain_and_asynchronous_skills_return_to_a_plain_caller(self) -> None:
        self.create("triple", TRIPLE)
        self.create("double", "def run(n): return n * 2")

        self.assertEqual(self.skills.triple(n=7), 21)
        self.assertEqual(self.skills.invoke("triple", n=7), 21)
        self.assertEqual(self.skills.double(n=7), 14)
        self.assertEqual(self.skills.double.call_sync(n=7), 14)

    def test_both_can_be_awaited(self) -> None:
        self.create("triple", TRIPLE)
        self.create("double", "def run(n): return n * 2")

        async def main() -> list[int]:
            return [
                await self.skills.triple(n=7),
                await self.skills.invoke("double", n=7),
                *await asyncio.gather(
                    self.skills.triple.call_async(n=1), self.skills.invoke.call_async("double", n=1)
                ),
            ]

        self.assertEqual(self.bridge.run_coroutine(main()), [21, 14, 3, 2])

    def test_positional_arguments_are_taken(self) -> None:
        self.create("triple", TRIPLE)

        self.assertEqual(self.skills.triple(7), 21)
        self.assertEqual(self.skills.invoke("triple", 7), 21)
        self.assertEqual(self.page.begun[0]["arguments"], {"n": 7})

    def test_wrong_arguments_are_pythons_own_type_errors(self) -> None:
        self.create("triple", TRIPLE)

        with self.assertRaisesRegex(
            TypeError, r"run\(\) missing 1 required positional argument: 'n'"
        ):
            self.skills.triple()
        with self.assertRaisesRegex(TypeError, r"unexpected keyword argument 'extra'"):
            self.skills.triple(n=1, extra=2)
        with self.assertRaisesRegex(TypeError, r"run\(\) takes 1 positional argument but 2 were"):
            self.skills.triple(1, 2)

    def test_a_parameter_may_be_called_name(self) -> None:
        self.create("named", "def run(name, self): return name + self")

        self.assertEqual(self.skills.invoke("named", name="bob", self="!"), "bob!")
        self.assertEqual(self.skills.named(name="bob", self="?"), "bob?")
        self.assertEqual(self.skills.invoke(skill_name="named", name="a", self="b"), "ab")
        self.assertEqual(self.skills.invoke(workflow_name="named", name="a", self="b"), "ab")

    def test_a_skill_sees_the_namespaces_and_nothing_of_the_session(self) -> None:
        self.create("look", "def run(): return sorted(n for n in globals() if n[0] != '_')")

        self.assertEqual(
            self.skills.look(), ["artifacts", "deps", "run", "skills", "tools", "workflows"]
        )

    def test_nothing_stays_between_two_runs(self) -> None:
        self.create("count", "n = []\ndef run():\n    n.append(1)\n    return len(n)")

        self.assertEqual([self.skills.count(), self.skills.count()], [1, 1])

    def test_dataclasses_with_annotations_as_text_work_and_are_pickled(self) -> None:
        self.create(
            "point",
            "from __future__ import annotations\n"
            "import pickle\n"
            "from dataclasses import dataclass\n"
            "@dataclass\n"
            "class Point:\n"
            "    x: int\n"
            "    y: 'float' = 0.5\n"
            "def run(x):\n"
            "    return repr(pickle.loads(pickle.dumps(Point(x))))",
        )

        self.assertEqual([self.skills.point(1), self.skills.point(2)][1], "Point(x=2, y=0.5)")

    def test_a_parameter_named_like_a_namespace_is_filled(self) -> None:
        self.create("uses", "def run(tools, n, skills=None):\n    return n, tools, skills")

        for result in (self.skills.uses(5), self.skills.uses(n=5)):
            self.assertEqual((result[0], result[2]), (5, self.skills))

    def test_skills_call_skills_in_any_mixture_of_plain_and_awaited(self) -> None:
        self.create("double", "async def run(x): return x * 2")
        self.create("plain", "def run(x): return skills.double(x=skills.invoke('double', x=x))")
        self.create(
            "awaited",
            "async def run(x): return await workflows.invoke('double', x=await skills.double(x=x))",
        )
        self.create(
            "mixed", "async def run(x): return skills.plain(x=x) + await skills.awaited(x=x)"
        )

        self.assertEqual(self.skills.plain(x=10), 40)
        self.assertEqual(self.skills.awaited(x=10), 40)
        self.assertEqual(self.skills.mixed(x=10), 80)

    def test_tools_are_called_plain_and_awaited_inside_an_asynchronous_skill(self) -> None:
        self.create(
            "both",
            "async def run():\n"
            "    a = tools.echo.say(text='a')\n"
            "    b = await tools.echo.say(text='b')\n"
            "    c = await tools.echo.say.call_async(text='c')\n"
            "    return a + b + c",
        )

        self.assertEqual(self.skills.both(), "abc")

    def test_a_plain_run_that_returns_a_coroutine_is_awaited(self) -> None:
        self.create("lazy", "def run(): return tools.echo.say.call_async(text='x')")

        self.assertEqual(self.skills.lazy(), "x")

    def test_recursion_works_and_its_limit_is_an_ordinary_error(self) -> None:
        self.create("fact", "def run(n): return 1 if n == 0 else n * skills.fact(n - 1)")
        self.create("forever", "def run(): return skills.forever()")

        self.assertEqual(self.skills.fact(n=10), 3628800)
        with self.assertRaises(RecursionError):
            self.skills.forever()
        self.assertEqual(self.skills.fact(n=3), 6)

    def test_a_new_source_is_what_runs(self) -> None:
        self.create("which", "def run(): return 1")
        self.assertEqual(self.skills.which(), 1)

        self.create("which", "def run(): return 2")

        self.assertEqual(self.skills.which(), 2)


class SkillErrors(Skills):
    """What a failing skill leaves behind."""

    def test_an_error_keeps_class_and_shows_the_line_of_the_skill(self) -> None:
        self.create("fails", "def run():\n    x = 1\n    raise ValueError('boom')")

        try:
            self.skills.fails()
        except ValueError as error:
            text = "".join(traceback.format_exception(error))
        else:
            self.fail("nothing was raised")

        self.assertIn("ValueError: boom", text)
        self.assertIn('File "<skill:fails>", line 3, in run\n    raise ValueError', text)

    def test_a_source_that_became_unreadable_is_a_syntax_error_with_its_line(self) -> None:
        self.create("odd", "def run(): ...")
        self.bridge.handlers["skills.begin"] = lambda _: {"callId": "c", "source": "\ndef run("}

        with self.assertRaises(SkillSyntaxError) as raised:
            self.skills.odd()

        self.assertEqual(raised.exception.lineno, 2)

    def test_an_asynchronous_skill_fails_alike(self) -> None:
        self.create("fails", "async def run():\n    raise KeyError('boom')")

        with self.assertRaises(KeyError):
            self.skills.fails()
        with self.assertRaises(KeyError):
            self.bridge.run_coroutine(self.skills.fails.call_async())

    def test_stop_iteration_does_not_pass_as_a_result(self) -> None:
        self.create("empty", "def run(): return next(iter([]))")

        with self.assertRaises(RuntimeError):
            self.skills.empty()

    def test_system_exit_is_told_and_passed_on(self) -> None:
        self.create("leaves", "def run(): raise SystemExit(3)")

        with self.assertRaises(SystemExit):
            self.skills.leaves()

        self.assertEqual(self.page.ended[-1]["error"], {"name": "SystemExit", "message": "3"})

    def test_a_page_that_cannot_note_the_end_does_not_hide_the_error(self) -> None:
        self.create("fails", "def run(): raise ValueError('boom')")

        def closed(_: object) -> object:
            from vitrine._errors import StorageClosedError

            raise StorageClosedError("closed")

        self.bridge.handlers["skills.end"] = closed

        with self.assertRaisesRegex(ValueError, "boom"):
            self.skills.fails()


class SkillJournal(Skills):
    """What the page learns of a run."""

    def test_a_run_is_begun_and_ended(self) -> None:
        self.create("triple", TRIPLE)

        self.skills.triple(n=1)

        self.assertEqual(self.page.begun, [{"name": "triple", "arguments": {"n": 1}}])
        self.assertEqual(self.page.ended, [{"callId": "call-1", "ok": True}])

    def test_a_failed_run_says_how(self) -> None:
        self.create("fails", "def run(): raise ValueError('boom')")

        with self.assertRaises(ValueError):
            self.skills.fails()

        error = {"name": "ValueError", "message": "boom"}
        self.assertEqual(self.page.ended, [{"callId": "call-1", "ok": False, "error": error}])

    def test_calls_made_inside_are_children_of_the_run(self) -> None:
        self.create("outer", "def run():\n    tools.echo.say(text='a')\n    skills.inner()")
        self.create("inner", "async def run():\n    await tools.echo.say(text='b')")

        self.skills.outer()

        calls = [parent for method, parent in self.bridge.parents if method == "tools.call"]
        self.assertEqual(calls, ["call-1", "call-2"])
        begun = [parent for method, parent in self.bridge.parents if method == "skills.begin"]
        self.assertEqual(begun, [None, "call-1"])
        self.assertIsNone(current_call.get())

    def test_gathered_runs_keep_their_children_apart(self) -> None:
        self.create("says", "async def run(t):\n    await tools.echo.say(text=t)\n    return t")

        async def main() -> list[str]:
            return await asyncio.gather(*(self.skills.says.call_async(t=t) for t in "abc"))

        self.assertEqual(self.bridge.run_coroutine(main()), ["a", "b", "c"])
        calls = [parent for method, parent in self.bridge.parents if method == "tools.call"]
        self.assertEqual(calls, ["call-1", "call-2", "call-3"])

    def test_a_cancelled_run_is_ended(self) -> None:
        self.create("waits", "import asyncio\nasync def run(): await asyncio.sleep(1000)")

        async def main() -> None:
            await asyncio.wait_for(self.skills.waits.call_async(), 0.01)

        with self.assertRaises(TimeoutError):
            self.bridge.run_coroutine(main())

        self.assertEqual(self.page.ended[0]["error"]["name"], "CancelledError")
        self.assertIsNone(current_call.get())

    def test_large_arguments_are_recorded_by_their_size(self) -> None:
        self.create("takes", "def run(**everything): return len(everything)")

        arguments = {
            "text": "x" * 10_000,
            "data": b"x" * 1000,
            "rows": list(range(1000)),
            "few": [1, {"a": b"x"}],
            "other": object(),
        }
        self.assertEqual(self.skills.takes(**arguments), 5)

        recorded = self.page.begun[0]["arguments"]
        self.assertLess(len(recorded["text"]), 3000)
        self.assertEqual(recorded["data"], "<bytes of length 1000>")
        self.assertEqual(recorded["rows"], "<list of length 1000>")
        self.assertEqual(recorded["few"], [1, {"a": "<bytes of length 1>"}])
        self.assertEqual(recorded["other"], "<object>")


if __name__ == "__main__":
    unittest.main()
