"""From tokens to lines."""

from reckon.errors import ReckonError
from reckon.lexer import Token, tokenize
from reckon.numbers import parse_number
from reckon.source import Source
from reckon.syntax import Call, Expression, Line, Name, Negation, Number, Operation


def parse(source: Source) -> list[Line]:
    """Parse all lines of a sheet."""
    return _Parser(list(tokenize(source))).lines()


class _Parser:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._at = 0

    def lines(self) -> list[Line]:
        lines: list[Line] = []
        while self._next.kind != "end":
            if self._next.kind == "newline":
                self._take()
                continue
            lines.append(self._line())
            if self._next.kind not in ("newline", "end"):
                raise ReckonError(f"{self._next.text} is too much", self._next.offset)
        return lines

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        token = self._next
        self._at += 1
        return token

    def _has(self, *signs: str) -> bool:
        return self._next.kind == "sign" and self._next.text in signs

    def _expect(self, sign: str) -> None:
        if not self._has(sign):
            raise ReckonError(f"{sign} is missing", self._next.offset)
        self._take()

    def _line(self) -> Line:
        first = self._next
        if first.kind == "name" and self._tokens[self._at + 1].text == "=":
            self._at += 2
            return Line(first.text, self._sum(), first.offset)
        return Line(None, self._sum(), first.offset)

    def _sum(self) -> Expression:
        value = self._product()
        while self._has("+", "-"):
            sign = self._take()
            value = Operation(sign.text, value, self._product(), sign.offset)
        return value

    def _product(self) -> Expression:
        value = self._signed()
        while self._has("*", "/"):
            sign = self._take()
            value = Operation(sign.text, value, self._signed(), sign.offset)
        return value

    def _signed(self) -> Expression:
        if self._has("-"):
            sign = self._take()
            return Negation(self._signed(), sign.offset)
        return self._power()

    def _power(self) -> Expression:
        base = self._atom()
        if self._has("^"):
            sign = self._take()
            return Operation(sign.text, base, self._signed(), sign.offset)
        return base

    def _atom(self) -> Expression:
        token = self._next
        if token.kind == "number":
            self._take()
            return Number(parse_number(token.text), token.offset)
        if token.kind == "name":
            self._take()
            return self._call(token) if self._has("(") else Name(token.text, token.offset)
        if self._has("("):
            self._take()
            value = self._sum()
            self._expect(")")
            return value
        raise ReckonError("a value is missing", token.offset)

    def _call(self, name: Token) -> Call:
        self._expect("(")
        arguments = [self._sum()]
        while self._has(","):
            self._take()
            arguments.append(self._sum())
        self._expect(")")
        return Call(name.text, tuple(arguments), name.offset)
