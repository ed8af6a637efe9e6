"""Tests of amounts."""

import unittest

from shop.money import share, text


class MoneyTest(unittest.TestCase):
    def test_half_a_cent_is_rounded_up(self) -> None:
        self.assertEqual(share(250, 5), 13)

    def test_a_share_of_nothing_is_nothing(self) -> None:
        self.assertEqual(share(0, 19), 0)

    def test_amounts_have_two_digits_and_groups(self) -> None:
        self.assertEqual(text(123450), "1,234.50")
