import unittest

from stencil.errors import TemplateError
from stencil.lexer import Token, tokenize


class TokenizeTest(unittest.TestCase):
    def test_kinds_and_lines(self) -> None:
        self.assertEqual(
            list(tokenize("Hi\n{{ name }}\n{% if x %}!")),
            [
                Token("text", "Hi\n", 1),
                Token("value", "name", 2),
                Token("text", "\n", 2),
                Token("tag", "if x", 3),
                Token("text", "!", 3),
            ],
        )

    def test_what_is_not_closed(self) -> None:
        with self.assertRaisesRegex(TemplateError, "line 2: {{ is not closed"):
            list(tokenize("Hi\n{{ name"))
