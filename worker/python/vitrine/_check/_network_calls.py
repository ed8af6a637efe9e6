"""Calls that need a network, which code of a sealed session does not have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from vitrine._check._scopes import children_of
from vitrine._network import NETWORK_PACKAGES

NO_NETWORK = 'Code has no network here: call a tool instead, `tools.search("words")` finds one.'
"""What the page completes where the session has a tool that fetches addresses."""

_CALLS = frozenset(
    {
        "asyncio.open_connection",
        "ftplib.FTP",
        "http.client.HTTPConnection",
        "http.client.HTTPSConnection",
        "js.fetch",
        "pyodide.http.open_url",
        "pyodide.http.pyfetch",
        "smtplib.SMTP",
        "smtplib.SMTP_SSL",
        "socket.create_connection",
        "urllib.request.urlopen",
        "urllib.request.urlretrieve",
    }
)
# Of packages that are of no use without a network.
_OF_PACKAGES = frozenset(
    {
        "AsyncClient",
        "Client",
        "ClientSession",
        "PoolManager",
        "Session",
        "connect",
        "delete",
        "get",
        "head",
        "patch",
        "post",
        "put",
        "request",
        "session",
        "stream",
    }
)
# What they begin with is read without a network.
_READABLE = ("data:", "file:")


_ROOTS = NETWORK_PACKAGES | {name.partition(".")[0] for name in _CALLS}
# Whole words: nearly all code has "js" in it somewhere, as in "json".
_ROOT = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, _ROOTS)))})\b")


def network_calls(tree: ast.Module, code: str) -> Iterator[tuple[ast.Call, str]]:
    """The calls, each with the name of what it calls: ``urllib.request.urlopen``."""
    # Most code names none of the modules, which its text says sooner than its tree. Names that
    # are written with other letters than ASCII may mean another one than they say.
    if code.isascii() and _ROOT.search(code) is None:
        return
    nodes: list[ast.AST] = [tree]
    for node in nodes:
        # It grows while it is gone through, breadth first: as ``ast.walk``, in half of the time.
        nodes += children_of(node)
    names = _imported_names(nodes)
    if not names:
        return
    for node in nodes:
        if isinstance(node, ast.Call):
            name = _name_of(node.func, names)
            if name is not None and _needs_network(name) and not _is_readable(node):
                yield node, name


def _imported_names(nodes: list[ast.AST]) -> dict[str, str]:
    """What names of the code mean that imports of such modules alone give a value."""
    imported: dict[str, str] = {}
    others: set[str] = set()
    for node in nodes:
        match node:
            case ast.Import(names=aliases):
                for alias in aliases:
                    root = alias.name.partition(".")[0]
                    imported[alias.asname or root] = alias.name if alias.asname else root
            case ast.ImportFrom(module=str() as module, level=0, names=aliases):
                for alias in aliases:
                    imported[alias.asname or alias.name] = f"{module}.{alias.name}"
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                others.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                others.add(name)
            case ast.ClassDef(name=name):
                others.add(name)
            case _:
                pass
    return {
        name: meant
        for name, meant in imported.items()
        if name not in others and meant.partition(".")[0] in _ROOTS
    }


def _name_of(node: ast.expr, names: dict[str, str]) -> str | None:
    path: list[str] = []
    while isinstance(node, ast.Attribute):
        path.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in names:
        return None
    return ".".join([names[node.id], *reversed(path)])


def _needs_network(name: str) -> bool:
    package, _, function = name.partition(".")
    return name in _CALLS or (package in NETWORK_PACKAGES and function in _OF_PACKAGES)


def _is_readable(call: ast.Call) -> bool:
    match call.args:
        case [ast.Constant(value=str() as address), *_]:
            return address.startswith(_READABLE)
        case _:
            return False


__all__ = ["NO_NETWORK", "network_calls"]
