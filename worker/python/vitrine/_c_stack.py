"""How far C code may recurse.

CPython raises ``RecursionError`` before its stack ends. In a browser another stack ends
first, and the interpreter with it: so runs get a part of the stack. The compiler needs
more of it for long code, and gets it for code that was weighed before.
"""

from __future__ import annotations

import importlib
from typing import Any

from vitrine._depth import check_depth
from vitrine._host import Host

_hosts: list[Host] = []


def protect_stack(host: Host) -> None:
    """Have recursion through C end in ``RecursionError``, from now on."""
    host.protect_stack()
    _hosts[:] = [host]
    _widen_imports()


class WholeStack:
    """All of the stack, for the compiler."""

    def __enter__(self) -> None:
        for host in _hosts:
            host.release_stack()

    def __exit__(self, *_: object) -> None:
        for host in _hosts:
            host.protect_stack()


def _widen_imports() -> None:
    """Compile modules as CPython would: those of packages are longer than what people type."""
    loader: Any = importlib.import_module("_frozen_importlib_external").SourceLoader
    original = loader.source_to_code

    def source_to_code(self: Any, data: Any, path: Any, *args: Any, **options: Any) -> Any:
        if isinstance(data, bytes) and not str(path).startswith("/lib/"):
            check_depth(data.decode("utf-8", "replace"))
        with WholeStack():
            return original(self, data, path, *args, **options)

    loader.source_to_code = source_to_code
