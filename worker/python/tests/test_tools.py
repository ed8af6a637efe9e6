from __future__ import annotations

import asyncio
import contextlib
import inspect
import io
import pydoc
import unittest
from typing import Any

from example_tools import ARGS, ECHO, MANY, MANY_MORE, MY_TOOL, SERVER
from memory_bridge import MemoryBridge, page_error, tool
from vitrine._errors import ToolError, ToolTimeoutError
from vitrine._help import Help
from vitrine._records import Tool, ToolCallable
from vitrine._tools import ToolsNamespace, forget_tools


class Tools(unittest.TestCase):
    """The namespace ``tools`` over a page that echoes the calls it gets."""

    def setUp(self) -> None:
        self.registered = [ECHO, ARGS, MY_TOOL, SERVER]
        self.bridge = MemoryBridge(
            tools__list=lambda _: self.registered,
            tools__get=lambda asked: self.find(asked["name"]),
            tools__names=lambda _: [it["alias"] for it in self.registered],
            tools__callable=self.one,
            tools__callables=lambda asked: self.whole(asked["name"]),
            tools__stub=self.stub,
            tools__search=self.search,
            tools__call=lambda asked: asked,
        )
        self.addCleanup(self.bridge.close)
        self.tools: Any = ToolsNamespace(self.bridge)

    def find(self, name: str) -> dict[str, Any] | None:
        """By name or alias, as the page does."""
        return next((it for it in self.registered if name in (it["name"], it["alias"])), None)

    def search(self, asked: dict[str, Any]) -> object:
        """All that contain the text."""
        found = [it for it in self.registered if asked["query"] in it["name"]]
        return {"tools": found[: asked["limit"]], "more": max(0, len(found) - asked["limit"])}

    def whole(self, name: str) -> object:
        """The tool with the callables that it was not told of with."""
        found = self.find(name)
        return (
            {**found, "callables": [*found["callables"], MANY_MORE], "more": 0} if found else None
        )

    def one(self, asked: dict[str, Any]) -> object:
        """A callable that was not told of with its tool."""
        names = (MANY_MORE["name"], MANY_MORE["alias"])
        return MANY_MORE if asked["callable"] in names else None

    def stub(self, asked: dict[str, Any]) -> object:
        """Two texts, as the page writes them."""
        head = "class Filter(TypedDict):\n    a: int"
        return {"types": head, "stub": f"{head}\n\ndef {asked['callable']}(*, f: Filter): ..."}

    def sent(self) -> dict[str, Any]:
        """The arguments of the last call."""
        method, arguments = self.bridge.asked[-1]
        self.assertEqual(method, "tools.call")
        return arguments


class ToolCalls(Tools):
    """How a call reaches the page."""

    def test_a_recipe_is_called_by_keyword(self) -> None:
        result = self.tools.echo.shout(text="hi")

        sent = {"tool": "echo", "callable": "shout", "arguments": {"text": "hi"}}
        self.assertEqual((result, self.sent()), (sent, sent))

    def test_a_tool_with_a_recipe_of_its_name_uses_that(self) -> None:
        self.tools.echo(text="hi")

        self.assertEqual(self.sent()["callable"], "echo")

    def test_a_tool_without_one_is_the_escape_hatch(self) -> None:
        self.tools.args(src="a", debug=True)

        self.assertEqual(self.sent()["callable"], None)
        self.assertEqual(self.sent()["arguments"], {"src": "a", "debug": True})

    def test_positional_arguments_fill_the_parameters_in_their_order(self) -> None:
        self.tools.echo("hi", 2)
        self.assertEqual(self.sent()["arguments"], {"text": "hi", "times": 2})

        self.tools.echo("hi", times=3)
        self.assertEqual(self.sent()["arguments"], {"text": "hi", "times": 3})

    def test_more_positional_arguments_than_parameters_are_a_type_error(self) -> None:
        with self.assertRaisesRegex(
            TypeError, r"tools\.echo\.shout\(\) takes 1 argument but 2 were given"
        ):
            self.tools.echo.shout("a", "b")
        with self.assertRaisesRegex(TypeError, r"tools\.args\(\) takes keyword arguments only"):
            self.tools.args("a")

    def test_an_argument_given_twice_is_a_type_error(self) -> None:
        with self.assertRaisesRegex(TypeError, "multiple values for argument 'text'"):
            self.tools.echo("hi", text="ho")
        with self.assertRaisesRegex(TypeError, "multiple values for argument 'log_level'"):
            self.tools.args.dry_run("x", log_level="y")

    def test_call_sync_and_call_async_are_everywhere(self) -> None:
        for callable_ in (self.tools.echo, self.tools.echo.echo):
            self.assertEqual(callable_.call_sync(text="s")["arguments"], {"text": "s"})
            result = self.bridge.run_coroutine(callable_.call_async(text="s"))
            self.assertEqual(result["arguments"], {"text": "s"})

    def test_an_awaited_call_lets_others_run_and_a_plain_one_waits(self) -> None:
        async def both() -> tuple[object, object]:
            awaited = await self.tools.echo(text="a")
            plain = self.tools.echo(text="b")
            return awaited["arguments"], plain["arguments"]

        self.assertEqual(self.bridge.run_coroutine(both()), ({"text": "a"}, {"text": "b"}))

    def test_gathered_calls_overlap(self) -> None:
        async def gather() -> list[Any]:
            calls = (self.tools.echo.call_async(text=str(index)) for index in range(20))
            return await asyncio.gather(*calls)

        results = self.bridge.run_coroutine(gather())

        self.assertEqual([it["arguments"]["text"] for it in results], [str(n) for n in range(20)])
        self.assertEqual(self.bridge.most_open, 20)

    def test_an_error_of_the_page_is_raised_with_its_class_either_way(self) -> None:
        def late(_: object) -> object:
            message = "Tool 'echo' timed out after 1s"
            raise page_error("ToolTimeoutError", message, "tools.call", timeout_seconds=1)

        self.bridge.handlers["tools.call"] = late

        with self.assertRaises(ToolTimeoutError) as plain:
            self.tools.echo(text="x")
        with self.assertRaises(ToolError):
            self.bridge.run_coroutine(self.tools.echo.call_async(text="x"))

        self.assertEqual(plain.exception.timeout_seconds, 1)

    def test_a_call_of_a_known_tool_is_one_request(self) -> None:
        recipe_of_echo = self.tools.echo.shout
        self.bridge.asked.clear()

        self.tools.echo.shout(text="a")
        recipe_of_echo(text="b")

        self.assertEqual(self.bridge.methods(), ["tools.call"] * 2)


class ToolLookup(Tools):
    """What attributes there are."""

    def test_an_unknown_tool_is_an_attribute_error_that_lists_all_sorted(self) -> None:
        with self.assertRaises(AttributeError) as raised:
            _ = self.tools.nope

        available = "Available: args, echo, my_tool, server"
        self.assertEqual(str(raised.exception), f"Unknown tool: nope. {available}")
        self.assertFalse(hasattr(self.tools, "nope"))
        self.assertIs(type(raised.exception), AttributeError)

    def test_an_unknown_recipe_is_an_attribute_error_that_lists_all(self) -> None:
        with self.assertRaises(AttributeError) as raised:
            _ = self.tools.echo.nope

        message = "Unknown callable: echo.nope. Available: echo, shout"
        self.assertEqual(str(raised.exception), message)

    def test_of_very_many_tools_the_first_hundred_are_named(self) -> None:
        self.registered = [tool(f"t{index:03}") for index in range(150)]

        with self.assertRaisesRegex(AttributeError, r"t000, .*, t099 \(and 50 more\)$"):
            _ = self.tools.nope

    def test_underscored_names_are_never_looked_up(self) -> None:
        for owner in (self.tools, self.tools.echo):
            self.bridge.asked.clear()

            self.assertFalse(hasattr(owner, "_x"))
            self.assertFalse(hasattr(owner, "__wrapped__"))

            self.assertEqual(self.bridge.asked, [])

    def test_a_hyphenated_name_has_an_alias(self) -> None:
        for reached in (self.tools.my_tool, getattr(self.tools, "my-tool"), self.tools["my-tool"]):
            reached.go()
            self.assertEqual(self.sent()["tool"], "my-tool")

        for reached in (self.tools.args.dry_run, self.tools.args["dry-run"]):
            reached(log_level="debug")
            self.assertEqual(self.sent()["callable"], "dry-run")

    def test_a_recipe_named_like_a_method_is_reached_by_its_alias(self) -> None:
        self.tools.args.list_()

        self.assertEqual(self.sent()["callable"], "list")
        names = [it.name for it in self.tools.args.list()]
        self.assertEqual(names, ["open", "list", "dry-run"])

    def test_an_item_that_is_not_there_is_a_key_error(self) -> None:
        with self.assertRaises(KeyError):
            self.tools["nope"]
        with self.assertRaises(KeyError):
            self.tools.echo["nope"]

    def test_a_tool_that_is_not_connected_yet_passes_any_recipe_on(self) -> None:
        self.tools.server.anything(x=1)

        self.assertEqual(self.sent()["callable"], "anything")

    def test_a_tool_that_was_added_is_found_at_once(self) -> None:
        self.assertFalse(hasattr(self.tools, "later"))

        self.registered.append(tool("later"))

        self.assertTrue(hasattr(self.tools, "later"))

    def test_a_tool_that_was_removed_is_gone_once_that_is_known(self) -> None:
        self.assertTrue(hasattr(self.tools, "echo"))
        self.registered.clear()

        forget_tools(self.tools)

        self.assertFalse(hasattr(self.tools, "echo"))

    def test_dir_shows_tools_and_recipes(self) -> None:
        self.assertLessEqual({"list", "search", "echo", "my_tool"}, set(dir(self.tools)))
        self.assertLessEqual({"open", "dry_run", "call_async"}, set(dir(self.tools.args)))

    def test_dir_of_ten_thousand_tools_is_one_request(self) -> None:
        self.registered = [tool(f"t{index}") for index in range(10_000)]

        for name in dir(self.tools):
            getattr(self.tools, name, None)

        self.assertEqual(self.bridge.methods(), ["tools.search"])

    def test_a_callable_of_very_many_is_asked_for_by_its_name(self) -> None:
        self.registered = [MANY]

        self.tools.many.last_one(f={"a": 1})

        self.assertEqual(self.sent()["callable"], "last-one")
        self.assertEqual([it.name for it in self.tools.many.list()], ["first", "last-one"])
        self.assertIn("last_one", dir(self.tools.many))
        with self.assertRaisesRegex(AttributeError, "Available: first, last_one"):
            _ = self.tools.many.nope

    def test_the_namespace_cannot_be_overwritten_in_part(self) -> None:
        with self.assertRaises(AttributeError):
            self.tools.__setattr__("list", 1)

        self.assertEqual(len(self.tools.list()), 4)


class ToolListings(Tools):
    """``list``, ``search`` and what a tool says of itself."""

    def test_list_returns_records_that_read_both_ways(self) -> None:
        listed = self.tools.list()

        self.assertIsInstance(listed[0], Tool)
        self.assertEqual([it.name for it in listed], [it["name"] for it in listed])

    def test_list_and_search_can_be_awaited(self) -> None:
        async def both() -> tuple[int, int]:
            return len(await self.tools.list()), len(await self.tools.search("echo"))

        self.assertEqual(self.bridge.run_coroutine(both()), (4, 1))

    def test_search_says_how_many_more_there_are(self) -> None:
        found = self.tools.search("", limit=1)

        self.assertEqual((len(found), found.more), (1, 3))
        self.assertIn("3 more", repr(found))
        self.assertEqual(self.tools.search("zzz"), [])
        self.assertEqual(self.bridge.asked[-1][1], {"query": "zzz", "limit": 10})

    def test_wrong_arguments_are_refused_before_anything_is_asked(self) -> None:
        for query, limit, error in ((5, 1, TypeError), ("", "1", TypeError), ("", -1, ValueError)):
            with self.subTest(query=query, limit=limit), self.assertRaises(error):
                self.tools.search(query, limit)
        self.assertEqual(self.bridge.asked, [])

    def test_callables_of_a_tool_show_their_signature(self) -> None:
        callables = self.tools.echo.list()

        self.assertIsInstance(callables[0], ToolCallable)
        self.assertEqual(repr(callables[0]), "echo(*, text: str, times: int = 1): Echo text")

    def test_signature_is_the_one_of_the_prompt(self) -> None:
        self.assertEqual(self.tools.echo.shout.signature(), "shout(*, text: str | None = None)")
        self.assertEqual(self.tools.my_tool.signature(), "go()")

    def test_describe_is_a_dict_that_can_be_awaited(self) -> None:
        expected = {"text": "what to say", "times": ""}

        async def awaited() -> object:
            return await self.tools.echo.echo.describe()

        self.assertEqual(self.tools.echo.echo.describe(), expected)
        self.assertEqual(self.tools.echo.describe(), expected)
        self.assertEqual(self.bridge.run_coroutine(awaited()), expected)
        self.assertEqual(self.bridge.run_coroutine(self.tools.echo.echo.describe()), expected)

    def test_python_knows_signature_and_documentation(self) -> None:
        self.assertEqual(
            str(inspect.signature(self.tools.echo)), "(*, text: 'str', times: 'int' = 1)"
        )
        self.assertEqual(
            self.tools.echo.echo.__doc__,
            "Echo text\n\necho(*, text: str, times: int = 1)\n\nArgs:\n    text: what to say",
        )
        self.assertIn("what to say", pydoc.plain(pydoc.render_doc(self.tools.echo.echo)))
        self.assertIn("Says things", pydoc.plain(pydoc.render_doc(self.tools.echo)))

    def test_repr_shows_how_to_call(self) -> None:
        self.assertEqual(repr(self.tools.my_tool.go), "<tools.my_tool.go()>")
        self.assertEqual(repr(self.tools.my_tool), "<tools.my_tool: go()>")


class ToolHelp(Tools):
    """What ``signature()`` and ``help()`` show."""

    def test_signature_shows_the_types_that_it_refers_to(self) -> None:
        self.registered = [MANY]

        self.assertEqual(
            self.tools.many.last_one.signature(),
            "last_one(*, f: Filter)\n\nclass Filter(TypedDict):\n    a: int",
        )

    def test_a_tool_with_very_many_says_how_many_more_there_are(self) -> None:
        self.registered = [MANY]

        self.assertIn("first()\n… and 1 more", self.tools.many.signature())
        self.assertIn("2 callables", repr(self.tools.many))
        self.assertIn("… and 1 more", repr(self.tools.list()[0]))

    def test_help_of_a_recipe_is_its_stub(self) -> None:
        printed = self.printed(self.tools.echo.shout)

        self.assertTrue(printed.startswith("tools.echo.shout\n\nclass Filter(TypedDict):"))
        self.assertIn("def shout(*, f: Filter): ...", printed)

    def test_help_of_a_tool_lists_its_recipes_and_that_of_tools_the_tools(self) -> None:
        self.assertIn("tools.args.open(*, src: str)", self.printed(self.tools.args))
        self.assertIn("There are: args, echo, my_tool, server", self.printed(self.tools))

    def test_help_names_the_call_that_people_write(self) -> None:
        printed = self.printed(self.tools.echo)

        self.assertIn("tools.echo(*, text: str", printed)
        self.assertIn("tools.echo.shout(", printed)
        self.assertNotIn("tools.echo.echo", printed)
        self.assertTrue(self.printed(self.tools.echo.echo).startswith("tools.echo\n\n"))
        self.assertTrue(repr(self.tools.echo.echo).startswith("<tools.echo(*, text"))

    def test_help_of_anything_else_is_pythons(self) -> None:
        self.assertIn("Return the number of items", self.printed(len))

    def printed(self, subject: object) -> str:
        """What ``help`` prints."""
        with contextlib.redirect_stdout(io.StringIO()) as output:
            Help()(subject)
        return output.getvalue()


if __name__ == "__main__":
    unittest.main()
