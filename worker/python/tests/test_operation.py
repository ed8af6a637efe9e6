from __future__ import annotations

import inspect
import unittest
from typing import Any, ClassVar

from memory_bridge import MemoryBridge
from vitrine._operation import Namespace, Request, Settle, Steps, operation


class Sums(Namespace):
    """A namespace that lets the page add."""

    _label: ClassVar[str] = "sums"

    @operation
    def add(self, first: int, second: int = 1) -> Steps[int]:
        """Add two numbers.

        Args:
            first: One.
            second: Another.
        """
        return (yield Request("sums.add", {"first": first, "second": second}))

    @operation
    def total(self, numbers: list[int]) -> Steps[int]:
        """Add many numbers, each by a coroutine of its own."""
        total = 0
        for number in numbers:
            total = yield Settle(self.add.call_async(total, number))
        return total

    @operation
    def careful(self, first: int) -> Steps[str]:
        """Say what went wrong instead of raising it."""
        try:
            yield Request("sums.fail", {"first": first})
        except ValueError as error:
            return f"failed: {error}"
        return "added"


class Operations(unittest.TestCase):
    """Methods that work plain and awaited alike."""

    def setUp(self) -> None:
        self.bridge = MemoryBridge(
            sums__add=lambda asked: asked["first"] + asked["second"], sums__fail=_fail
        )
        self.addCleanup(self.bridge.close)
        self.sums = Sums(self.bridge)

    def test_a_plain_call_returns_the_result(self) -> None:
        self.assertEqual(self.sums.add(2, second=3), 5)
        self.assertEqual(self.sums.add.call_sync(2), 3)

    def test_an_awaited_call_returns_the_result(self) -> None:
        sums: Any = self.sums

        async def main() -> tuple[int, int]:
            return await sums.add(2, 3), await sums.add.call_async(2)

        self.assertEqual(self.bridge.run_coroutine(main()), (5, 3))

    def test_what_an_operation_awaits_is_awaited_on_both_ways(self) -> None:
        async def main() -> int:
            return await self.sums.total.call_async([1, 2, 3])

        self.assertEqual(self.sums.total([1, 2, 3]), 6)
        self.assertEqual(self.bridge.run_coroutine(main()), 6)

    def test_a_plain_call_inside_a_coroutine_can_wait_for_a_coroutine(self) -> None:
        async def main() -> int:
            return self.sums.total([1, 2, 3])

        self.assertEqual(self.bridge.run_coroutine(main()), 6)

    def test_an_error_reaches_the_steps_on_both_ways(self) -> None:
        self.assertEqual(self.sums.careful(1), "failed: no")
        self.assertEqual(self.bridge.run_coroutine(self.sums.careful.call_async(1)), "failed: no")

    def test_wrong_arguments_are_a_type_error_that_names_the_call(self) -> None:
        with self.assertRaisesRegex(TypeError, r"^sums\.add\(\) missing 1 required positional arg"):
            self.sums.add()  # pyright: ignore[reportCallIssue]
        with self.assertRaisesRegex(TypeError, r"^sums\.add\(\) got an unexpected keyword arg"):
            self.sums.add.call_async(1, third=3)  # pyright: ignore[reportCallIssue]
        self.assertEqual(self.bridge.asked, [])

    def test_python_knows_signature_and_documentation(self) -> None:
        expected = "(first: 'int', second: 'int' = 1) -> 'int'"
        self.assertEqual(str(inspect.signature(self.sums.add)), expected)
        self.assertTrue(str(self.sums.add.__doc__).startswith("Add two numbers."))
        self.assertEqual(repr(self.sums.add), "<sums.add(first: int, second: int = 1) -> int>")

    def test_methods_cannot_be_overwritten(self) -> None:
        with self.assertRaisesRegex(AttributeError, "sums.add cannot be assigned to"):
            self.sums.__setattr__("add", 1)

        self.assertEqual(self.sums.add(1, 1), 2)


def _fail(_: object) -> object:
    raise ValueError("no")


if __name__ == "__main__":
    unittest.main()
