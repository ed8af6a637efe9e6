"""The import gate: which modules session code and skills may import.

The source is read before it runs, and while it runs every import is looked at
again, with the place it comes from. That guides a program: it says at once, and
in words, what is not there for it. It does not stop an attacker, who finds a way
around any check inside the interpreter that runs them. The worker without
network, storage and messages (``isolated``) and the browser's own sandbox
(``sandboxed``) are what code is held by.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import FrameType, ModuleType
from typing import Any, NamedTuple, cast

from vitrine._errors import ImportNotAllowedError
from vitrine._traceback import shown_filename

# What reaches JavaScript, or the memory of the interpreter, from Python.
_GATED_MODULES = frozenset(
    {
        "js",
        "pyodide",
        "pyodide_js",
        "_pyodide",
        "_pyodide_core",
        "_vitrine_host",
        "ctypes",
        "_ctypes",
        "_emscripten_info",
    }
)
# Error classes and helpers are for everybody; the modules behind them are not.
_ALWAYS = frozenset({"vitrine", "codex_tools", "__future__"})
_GATED_LEVEL = "isolated"
# What code with a list of imports does without: it reads and writes by its modules, or by tools.
_WITHHELD = frozenset(
    {
        "breakpoint",
        "compile",
        "delattr",
        "eval",
        "exec",
        "get_ipython",
        "globals",
        "input",
        "locals",
        "open",
        "setattr",
    }
)

_OWN = os.path.dirname(__file__) + "/"
_STANDARD = (
    _OWN,
    os.path.dirname(os.__file__) + "/",
    "<frozen ",
    *(path + "/" for path in sys.path if path.endswith(".zip")),
)
_INSTALLED = "/site-packages/"
_PYODIDE = ("/site-packages/pyodide/", "/site-packages/_pyodide/", "/pyodide/", "/_pyodide/")
_REMEMBERED = 200


class Rules(NamedTuple):
    """What may be imported: ``allowed`` and nothing else, or everything but ``refused``."""

    allowed: frozenset[str] | None
    refused: frozenset[str]

    def permits(self, module: str) -> bool:
        """Whether code of the session may import ``module``."""
        root = module.partition(".")[0]
        if module.startswith("vitrine._") or root in self.refused:
            return False
        return self.allowed is None or root in self.allowed or root in _ALWAYS

    def withholds(self, name: str) -> bool:
        """Whether code does without this builtin."""
        return self.allowed is not None and name in _WITHHELD


def rules_for(trust: str, imports: Sequence[str] | None) -> Rules | None:
    """The rules of a run; None where everything may be imported.

    Args:
        trust: The trust level of the session.
        imports: The modules that the session allows; None when it says nothing.
    """
    if imports is None and trust != _GATED_LEVEL:
        return None
    allowed = None if imports is None else frozenset(name.partition(".")[0] for name in imports)
    refused = (
        _GATED_MODULES - (allowed or frozenset()) if trust == _GATED_LEVEL else frozenset[str]()
    )
    return Rules(allowed, refused)


def builtins_for(rules: Rules | None) -> ModuleType | dict[str, object]:
    """The builtins of code under these rules, as they are now."""
    if rules is None or rules.allowed is None:
        return builtins
    return {name: value for name, value in vars(builtins).items() if name not in _WITHHELD}


class ImportGate:
    """The gate of an interpreter. Without rules it lets everything through."""

    def __init__(self) -> None:
        self._rules: Rules | None = None
        self._installed = False
        self._passed: dict[tuple[Rules, str], None] = {}

    def use(self, rules: Rules | None) -> None:
        """Go by these rules from now on."""
        self._rules = rules
        if rules is not None and not self._installed:
            self._install()

    def check_tree(self, tree: ast.AST, filename: str) -> None:
        """Look at everything in ``tree``, also at what is never reached.

        Raises:
            ImportNotAllowedError: Naming the module, the line and what is allowed.
        """
        if self._rules is None:
            return
        for module, line, text in refused_imports(tree, self._rules):
            raise _refusal(text, module, line, self._rules, filename)

    def check_source(self, source: str, filename: str) -> None:
        """As ``check_tree``; the same source is read once. Source that is no Python passes."""
        rules = self._rules
        if rules is None or (rules, source) in self._passed:
            return
        try:
            tree = ast.parse(source, filename)
        except SyntaxError, ValueError, RecursionError, MemoryError:
            return
        self.check_tree(tree, filename)
        if len(self._passed) >= _REMEMBERED:
            self._passed.clear()
        self._passed[rules, source] = None

    def check_frame(self, name: str, frame: FrameType | None, *, by_machine: bool = False) -> None:
        """Look at an import while code runs.

        Args:
            name: The module.
            frame: Whose import it is.
            by_machine: It may be C code that imports a part of the standard library.
        """
        rules = self._rules
        if rules is None or frame is None:
            return
        filename = frame.f_code.co_filename
        root = name.partition(".")[0]
        harmless = root not in rules.refused
        if _is_installed(filename):
            # What a package needs itself is its own affair, as long as it stays inside Python.
            permitted = harmless or any(part in filename for part in _PYODIDE)
        elif filename.startswith(_STANDARD):
            permitted = True
        else:
            from_c = by_machine and harmless and root in sys.stdlib_module_names
            permitted = from_c or rules.permits(name)
        if permitted:
            return
        raise _refusal(f"Import {name!r}", name, frame.f_lineno, rules, filename)

    def _install(self) -> None:
        self._installed = True
        import_name = builtins.__import__
        import_module = importlib.import_module

        def gated_import(
            name: str,
            globals: Mapping[str, object] | None = None,
            locals: Mapping[str, object] | None = None,
            fromlist: Sequence[str] | None = (),
            level: int = 0,
        ) -> ModuleType:
            if level == 0 and self._rules is not None:
                # Built-in functions import on behalf of the code that called them: like this.
                by_machine = globals is locals is not None and isinstance(fromlist, list)
                self.check_frame(name, sys._getframe(1), by_machine=by_machine)
            wanted: Sequence[str] = () if fromlist is None else fromlist
            return import_name(name, globals, locals, wanted, level)

        def gated_import_module(name: str, package: str | None = None) -> ModuleType:
            if not name.startswith("."):
                self.check_frame(name, sys._getframe(1))
            return import_module(name, package)

        gated_import.__name__ = gated_import.__qualname__ = "__import__"
        gated_import_module.__name__ = gated_import_module.__qualname__ = "import_module"
        builtins.__import__ = cast("Any", gated_import)
        importlib.__import__ = cast("Any", gated_import)
        importlib.import_module = gated_import_module


def refused_imports(tree: ast.AST, rules: Rules) -> Iterator[tuple[str, int, str]]:
    """The imports in ``tree`` that the rules refuse: module, line, and how a refusal begins."""
    for module, line, text in _imports_of(tree):
        if not rules.permits(module):
            yield module, line, text


def _imports_of(tree: ast.AST) -> Iterator[tuple[str, int, str]]:
    """Every module that is imported by name, with its line and how a refusal begins."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    yield alias.name, node.lineno, f"Import {alias.name!r}"
            case ast.ImportFrom(module=str() as module, level=0, names=names):
                yield module, node.lineno, f"Import from {module!r}"
                for alias in names:
                    # A submodule may be meant, which only some of us may have.
                    if alias.name.startswith("_"):
                        full = f"{module}.{alias.name}"
                        yield full, node.lineno, f"Import {full!r}"
            case ast.Call(func=func, args=[ast.Constant(value=str() as module), *_]):
                if not module.startswith(".") and _is_import_function(func):
                    yield module, node.lineno, f"Import {module!r}"
            case _:
                pass


def _is_import_function(func: ast.expr) -> bool:
    match func:
        case (
            ast.Name(id="__import__" | "import_module")
            | ast.Attribute(attr="__import__" | "import_module")
        ):
            return True
        case _:
            return False


def _is_installed(filename: str) -> bool:
    return _INSTALLED in filename and not filename.startswith(_OWN)


def _refusal(
    text: str, module: str, line: int, rules: Rules, filename: str
) -> ImportNotAllowedError:
    if rules.allowed is None:
        hint = "In this session code reaches neither JavaScript nor the machine, only its tools."
    elif rules.allowed:
        hint = f"Allowed: {', '.join(sorted(rules.allowed))}."
    else:
        hint = "No module may be imported."
    error = ImportNotAllowedError(
        f"{text} not allowed (line {line} of {shown_filename(filename)}). {hint}"
    )
    error.module, error.line = module, line
    error.allowed = None if rules.allowed is None else sorted(rules.allowed)
    error.details = {"module": module, "line": line, "allowed": error.allowed}
    return error


GATE: ImportGate = ImportGate()
"""The gate of this interpreter: there is one ``__import__``."""

__all__ = ["GATE", "ImportGate", "Rules", "builtins_for", "refused_imports", "rules_for"]
