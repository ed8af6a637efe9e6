"""The beginnings of texts, of which whatever is left over is never written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import cast

_BRACKETS: dict[type, tuple[str, str]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
    dict: ("{", "}"),
}
# Text that is Python's own, which runs no code of the session's.
_PLAIN = frozenset({str, bytes, int, float, bool, type(None)})
_DEEPEST = 20
# The name that Python itself gave the class; a metaclass may answer with anything.
_NAME_OF = cast("Callable[[type], str]", type.__dict__["__name__"].__get__)


def type_name(value: object) -> str:
    """The name of a value's class, whatever the class says of it."""
    return _NAME_OF(type(value))


def shorten(text: str, length: int, mark: str = "…") -> str:
    """The first characters of a longer text, then a mark that says so."""
    return text if len(text) <= length else f"{text[:length]}{mark}"


def plain_text(value: object, length: int) -> str:
    """The first characters of ``str(value)``, as text that no code of the session's reads.

    Raises whatever the value raises.
    """
    return str.__getitem__(str(value), slice(length))


class Beginnings:
    """Writes the beginnings of texts, whatever the values do when they are asked for them.

    An interrupt says that the time for that is over: what comes after it is asked for no
    text of its own, and named by its type.
    """

    def __init__(self) -> None:
        self._is_late = False

    @property
    def is_late(self) -> bool:
        """Whether a value took too long."""
        return self._is_late

    def of_repr(self, value: object, length: int) -> str:
        """Write the first characters of ``repr(value)``, with dots where there are more."""
        return self._ask(value, length, "repr", lambda: _joined(_pieces(value, length), length))

    def of_text(self, value: object, length: int) -> str:
        """Write the first characters of ``str(value)``, with dots where there are more."""
        return self._ask(value, length, "str", lambda: str(value))

    def _ask(self, value: object, length: int, question: str, answer: Callable[[], str]) -> str:
        name = type_name(value)
        if self._is_late and type(value) not in _PLAIN:
            return f"<{name}>"
        try:
            # The text may be of a class of the session's own; a slice by str itself is not.
            text = str.__getitem__(answer(), slice(length + 1))
        except KeyboardInterrupt:
            self._is_late = True
            return f"<{name} whose {question}() took too long>"
        except BaseException as error:  # noqa: BLE001 - whatever foreign code raises
            return f"<{name} whose {question}() raised {type_name(error)}>"
        return shorten(text, length, "...")


def _joined(pieces: Iterator[str], length: int) -> str:
    text = ""
    for piece in pieces:
        text += piece
        if len(text) > length:
            break
    return text


def _pieces(value: object, length: int, depth: int = 0) -> Iterator[str]:
    kind = type(value)
    if kind is str or kind is bytes:
        yield repr(cast("str | bytes", value)[: length + 1])
        return
    if kind not in _BRACKETS or depth > _DEEPEST or not value:
        yield repr(value)
        return
    opening, closing = _BRACKETS[kind]
    yield opening
    if kind is dict:
        for index, (key, item) in enumerate(cast("dict[object, object]", value).items()):
            yield ", " if index > 0 else ""
            yield from _pieces(key, length, depth + 1)
            yield ": "
            yield from _pieces(item, length, depth + 1)
    else:
        for index, item in enumerate(cast("Iterable[object]", value)):
            yield ", " if index > 0 else ""
            yield from _pieces(item, length, depth + 1)
    yield ",)" if kind is tuple and len(cast("tuple[object, ...]", value)) == 1 else closing
