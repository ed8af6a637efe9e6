# The part of pyodide.ffi that the package uses; the real module exists only inside the interpreter.

from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any


class JsProxy:
    js_id: int
    typeof: str

    def __getattr__(self, name: str) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: Any) -> Any: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def to_py(
        self,
        *,
        depth: int = -1,
        default_converter: Callable[
            [JsProxy, Callable[[Any], Any], Callable[[Any, Any], None]], Any
        ]
        | None = None,
    ) -> Any: ...


class JsBuffer(JsProxy):
    byteLength: int

    def to_bytes(self) -> bytes: ...
    def to_memoryview(self) -> memoryview: ...
    def assign_to(self, to: bytearray | memoryview) -> None: ...


class JsException(Exception):
    name: str
    message: str


class JsNull: ...


jsnull: JsNull


def run_sync[T](awaitable: Awaitable[T], /) -> T: ...
def can_run_sync() -> bool: ...
def to_js(
    obj: Any,
    /,
    *,
    depth: int = -1,
    pyproxies: JsProxy | None = None,
    create_pyproxies: bool = True,
    dict_converter: Callable[[Iterable[tuple[Any, Any]]], Any] | None = None,
    default_converter: Callable[[Any, Callable[[Any], Any], Callable[[Any, Any], None]], Any]
    | None = None,
    eager_converter: Callable[[Any, Callable[[Any], Any], Callable[[Any, Any], None]], Any]
    | None = None,
) -> Any: ...
