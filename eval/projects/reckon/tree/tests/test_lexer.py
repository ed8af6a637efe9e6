import unittest

from reckon.errors import ReckonError
from reckon.lexer import Token, tokenize
from reckon.source import Source


class TokenizeTest(unittest.TestCase):
    def test_tokens_and_offsets(self) -> None:
        self.assertEqual(
            list(tokenize(Source("tax = 19% # a\n1"))),
            [
                Token("name", "tax", 0),
                Token("sign", "=", 4),
                Token("number", "19%", 6),
                Token("newline", "\n", 13),
                Token("number", "1", 14),
                Token("end", "", 15),
            ],
        )

    def test_ends_of_lines_within_brackets(self) -> None:
        kinds = [token.kind for token in tokenize(Source("(1 +\n2)\n"))]
        self.assertEqual(kinds.count("newline"), 1)

    def test_other_signs(self) -> None:
        with self.assertRaises(ReckonError) as caught:
            list(tokenize(Source("1 + $")))
        self.assertEqual(caught.exception.offset, 4)
