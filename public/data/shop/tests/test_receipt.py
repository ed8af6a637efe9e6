"""Tests of receipts."""

import unittest

from shop.discounts import LOYAL
from shop.receipt import Receipt


def tea_for_two(percent: int = 0) -> Receipt:
    receipt = Receipt(percent)
    receipt.add("Teapot", 1990)
    receipt.add("Cup", 850)
    return receipt


class ReceiptTest(unittest.TestCase):
    def test_an_empty_receipt_costs_nothing(self) -> None:
        self.assertEqual(Receipt().total(), 0)

    def test_without_a_discount_prices_add_up(self) -> None:
        self.assertEqual(tea_for_two().total(), 2840)

    def test_a_loyal_customer_gets_half_cents(self) -> None:
        # 298.5 and 127.5 cents are taken off.
        self.assertEqual(tea_for_two(LOYAL).total(), 2413)

    def test_the_last_line_is_the_total(self) -> None:
        self.assertEqual(tea_for_two().lines()[-1], "Total: 28.40")
