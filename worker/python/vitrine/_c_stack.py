"""How far C code may recurse.

CPython raises ``RecursionError`` before its stack ends. In a browser another stack ends
first, and the interpreter with it: so runs get a part of the stack. The compiler needs
more of it for long code, and gets it for code that was weighed before.
"""

from __future__ import annotations

import importlib
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from vitrine._host import Host


class CStack:
    """The stack of C code."""

    def __init__(self, host: Host) -> None:
        self._host = host
        host.protect_stack()
        self._widen_imports()

    @contextmanager
    def whole(self) -> Generator[None]:
        """All of it, for the compiler."""
        self._host.release_stack()
        try:
            yield
        finally:
            self._host.protect_stack()

    def _widen_imports(self) -> None:
        """Compile modules as CPython would: those of packages are longer than what people type."""
        loader: Any = importlib.import_module("_frozen_importlib_external").SourceLoader
        original = loader.source_to_code

        def source_to_code(self_: Any, *args: Any, **options: Any) -> Any:
            with self.whole():
                return original(self_, *args, **options)

        loader.source_to_code = source_to_code
