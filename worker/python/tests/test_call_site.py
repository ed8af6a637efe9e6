from __future__ import annotations

import functools
import sys
import types
import unittest
from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import Any

from vitrine._call_site import is_awaited


class Probe(Awaitable[None]):
    """Notes for each call whether it is awaited; its results can be."""

    def __init__(self) -> None:
        self.seen: list[bool] = []

    def __call__(self, *_args: object, **_kwargs: object) -> Probe:
        self.seen.append(is_awaited(sys._getframe(1)))
        return self

    def __await__(self) -> Generator[Any, Any]:
        return None
        yield


class CallSites(unittest.TestCase):
    """Whether a call is the operand of an ``await``."""

    def seen(self, source: str) -> list[bool]:
        """Run the body of an ``async def`` in which ``p`` is the probe."""
        body = "\n".join(f"    {line}" for line in source.splitlines())
        return self._drive(f"async def main():\n{body}\n", lambda names: names["main"]())

    def _drive(self, source: str, start: Callable[[dict[str, Any]], Any]) -> list[bool]:
        probe = Probe()
        names: dict[str, Any] = {"p": probe, "functools": functools}
        exec(source, names)
        _finish(start(names))
        return probe.seen

    def test_every_form_of_call_is_recognised(self) -> None:
        for call in ("p()", "p(1)", "p(a=1)", "p(*[1])", "p(**{'a': 1})", "p(1, *[2], b=3)"):
            with self.subTest(call):
                self.assertEqual(self.seen(f"await {call}"), [True])
                self.assertEqual(self.seen(f"x = {call}"), [False])

    def test_await_is_seen_wherever_an_expression_can_stand(self) -> None:
        for source in (
            "return await p()",
            "x = [await p() for _ in range(1)]",
            "x = {1: await p()}",
            "x = f'{await p()}'",
            "x = await p() if True else 1",
            "x = (await\n p(\n 1\n))",
            "assert not await p()",
        ):
            with self.subTest(source):
                self.assertEqual(self.seen(source), [True])

    def test_a_call_that_is_not_itself_awaited_is_plain(self) -> None:
        for source in ("p()", "x = p()", "return p()", "x = [p()]", "y = p\nx = y()\nawait x"):
            with self.subTest(source):
                self.assertEqual(self.seen(source), [False])

    def test_an_argument_of_an_awaited_call_is_plain(self) -> None:
        self.assertEqual(self.seen("async def f(x): return x\nawait f(p())"), [False])

    def test_both_forms_in_one_function_keep_apart(self) -> None:
        source = "for _ in range(50):\n    await p()\n    p()"

        self.assertEqual(self.seen(source), [True, False] * 50)

    def test_a_call_through_a_partial_is_seen(self) -> None:
        self.assertEqual(self.seen("await functools.partial(p, 1)()"), [True])
        self.assertEqual(self.seen("x = list(map(p, [1]))"), [False])

    def test_an_async_generator_can_await(self) -> None:
        source = "async def g():\n    yield await p()\nasync for _ in g(): pass"

        self.assertEqual(self.seen(source), [True])

    def test_plain_functions_and_lambdas_never_await(self) -> None:
        self.assertEqual(self.seen("def f(): return p()\nf()"), [False])
        self.assertEqual(self.seen("await (lambda: p())()"), [False])

    def test_top_level_await_is_seen(self) -> None:
        probe = Probe()
        code = compile("await p()\np()", "<run>", "exec", flags=0x2000)

        _finish(types.FunctionType(code, {"p": probe})())

        self.assertEqual(probe.seen, [True, False])

    def test_a_call_far_into_a_long_function_is_seen(self) -> None:
        padding = "\n".join(f"x{index} = {index}" for index in range(1000))

        self.assertEqual(self.seen(f"{padding}\nawait p()\np()"), [True, False])

    def test_more_functions_than_are_remembered_do_no_harm(self) -> None:
        for _ in range(600):
            self.assertEqual(self.seen("await p()\np()"), [True, False])


def _finish(coroutine: Coroutine[Any, Any, Any]) -> None:
    try:
        coroutine.send(None)
    except StopIteration:
        return
    raise AssertionError("it waits")


if __name__ == "__main__":
    unittest.main()
