import unittest

from ledger.money import AmountError, allocate, format_amount, parse_amount


class ParseAmountTest(unittest.TestCase):
    def test_point_and_comma(self) -> None:
        self.assertEqual(parse_amount("1,234.50"), 123450)
        self.assertEqual(parse_amount("-1.234,5", decimal_comma=True), -123450)

    def test_no_fraction(self) -> None:
        self.assertEqual(parse_amount(" 12 "), 1200)

    def test_other_text(self) -> None:
        for text in ("", "12.345", "abc", "1.2.3"):
            with self.subTest(text), self.assertRaises(AmountError):
                parse_amount(text)


class FormatAmountTest(unittest.TestCase):
    def test_both_signs(self) -> None:
        self.assertEqual(format_amount(123405), "1,234.05")
        self.assertEqual(format_amount(-5), "-0.05")


class AllocateTest(unittest.TestCase):
    def test_first_shares_get_the_odd_cents(self) -> None:
        self.assertEqual(allocate(101, [1, 1]), [51, 50])
        self.assertEqual(allocate(200, [1, 1, 1]), [67, 67, 66])

    def test_weights(self) -> None:
        self.assertEqual(allocate(8810, [2, 1]), [5874, 2936])

    def test_nothing_to_split(self) -> None:
        self.assertEqual(allocate(0, [3, 4]), [0, 0])
