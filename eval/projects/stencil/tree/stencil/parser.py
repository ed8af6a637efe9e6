"""From tokens to nodes."""

import re
from collections.abc import Mapping

from stencil.errors import TemplateError
from stencil.filters import Filter
from stencil.lexer import Token, tokenize
from stencil.nodes import For, If, Include, Node, Text, Value

FOR = re.compile(r"for (\w+) in ([\w.]+)")
IF = re.compile(r"if ([\w.]+)")
INCLUDE = re.compile(r'include "([^"]+)"')


class Parser:
    """Parses one template."""

    def __init__(self, name: str, filters: Mapping[str, Filter], *, escapes: bool) -> None:
        self._name = name
        self._filters = filters
        self._escapes = escapes

    def parse(self, source: str) -> list[Node]:
        """Parse all of a template."""
        tokens = list(tokenize(source))
        nodes, rest = self._block(tokens, opened_at=None)
        if rest:
            raise TemplateError("there is nothing to end", rest[0].line)
        return nodes

    def _block(self, tokens: list[Token], opened_at: int | None) -> tuple[list[Node], list[Token]]:
        """Parse as far as the end of a block; what follows is returned, its end included."""
        nodes: list[Node] = []
        while tokens:
            token, *rest = tokens
            if token.kind == "tag" and token.text == "end":
                return nodes, tokens
            if token.kind == "text":
                nodes.append(Text(token.text))
            elif token.kind == "value":
                nodes.append(self._value(token))
            else:
                node, rest = self._tag(token, rest)
                nodes.append(node)
            tokens = rest
        if opened_at is not None:
            raise TemplateError("the end is missing", opened_at)
        return nodes, []

    def _value(self, token: Token) -> Value:
        path, *names = (part.strip() for part in token.text.split("|"))
        unknown = next((name for name in names if name not in self._filters), None)
        if unknown is not None:
            raise TemplateError(f"there is no filter {unknown!r}", token.line)
        return Value(path, tuple(self._filters[name] for name in names), self._escapes)

    def _tag(self, token: Token, rest: list[Token]) -> tuple[Node, list[Token]]:
        if match := INCLUDE.fullmatch(token.text):
            return Include(match[1], self._escapes, self._name), rest
        if match := FOR.fullmatch(token.text):
            body, rest = self._block(rest, opened_at=token.line)
            return For(match[1], match[2], body, token.line), rest[1:]
        if match := IF.fullmatch(token.text):
            body, rest = self._block(rest, opened_at=token.line)
            return If(match[1], body), rest[1:]
        raise TemplateError(f"{token.text!r} is no tag", token.line)
