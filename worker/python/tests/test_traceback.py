"""Tracebacks of code that went very deep."""

from __future__ import annotations

import sys
import unittest
from collections.abc import Callable

from vitrine._traceback import format_exception, format_stack, release


def raised_by(function: Callable[[int], object], levels: int) -> BaseException:
    """What ``function`` raises when it may call itself so often."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(levels + 500)
    try:
        function(levels)
    except ValueError as error:
        return error
    finally:
        sys.setrecursionlimit(limit)
    raise AssertionError("nothing was raised")


def deeper(levels: int) -> object:
    """Raise below so many calls of itself."""
    if levels == 0:
        raise ValueError("deep")
    return deeper(levels - 1)


def causes(levels: int) -> object:
    """Raise because of an error from below so many calls."""
    try:
        return deeper(levels)
    except ValueError as error:
        raise ValueError("outside") from error


class DeepTracebacks(unittest.TestCase):
    """The beginning and the end of them, and how many calls lie between."""

    def test_of_many_frames_the_first_and_the_last_are_shown(self) -> None:
        error = raised_by(deeper, 5000)
        for text in (
            format_exception(error, "ValueError: deep"),
            format_stack(error, "ValueError: deep"),
        ):
            self.assertIn("calls left out]", text)
            self.assertIn('raise ValueError("deep")', text)
            self.assertEqual(text.splitlines()[-1], "ValueError: deep")
            self.assertLess(len(text), 5000)

    def test_what_is_left_out_is_counted(self) -> None:
        text = format_exception(raised_by(deeper, 5000), "")
        self.assertIn("  [3002 calls left out]\n", text)

    def test_as_many_as_are_shown_are_all_there(self) -> None:
        text = format_exception(raised_by(deeper, 1500), "")
        self.assertNotIn("left out", text)
        self.assertIn("more times]", text)

    def test_the_errors_that_led_to_it_are_cut_as_well(self) -> None:
        text = format_exception(raised_by(causes, 5000), "")
        self.assertIn("direct cause", text)
        self.assertIn("[Previous line repeated 1996 more times]", text)

    def test_one_that_was_told_is_taken_apart_whatever_its_class_says(self) -> None:
        def no_cause(_error: BaseException) -> object:
            raise RuntimeError("no cause")

        odd_class = type("Odd", (ValueError,), {"__cause__": property(no_cause)})
        short, deep = odd_class("short"), raised_by(deeper, 5000)
        release(short)
        release(deep)
        self.assertIsNone(deep.__traceback__)
