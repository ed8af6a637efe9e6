"""The namespace ``deps``: the Python packages of this session."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import ClassVar, override

from vitrine._arguments import require_text
from vitrine._errors import DepsError, RPCError
from vitrine._operation import Caller, Namespace, Request, Steps, operation
from vitrine._package_install import Arrivals
from vitrine._package_names import package_of
from vitrine._records import SyncResult, wire_items

# Longer names are no packages.
_LONGEST_NAME = 100

# The method called `list` hides the builtin in the annotations of its class.
type Specs = list[str]


class DepsNamespace(Namespace):
    """The packages of this session. Those that its sources have can be added."""

    _label: ClassVar[str] = "deps"

    def __init__(self, bridge: Caller, site_packages: str | None = None) -> None:
        super().__init__(bridge)
        self._site_packages = site_packages

    @operation
    def add(self, package: str) -> Steps[SyncResult]:
        """Install a package with what it needs, and remember it for the session.

        Args:
            package: A name with an optional version: ``"rich"``, ``"rich>=13"``.

        Raises:
            DepSpecError: Not a package specification that may be used here.
            RuntimeDepsDisabledError: This session's packages are fixed.
            DepsError: The package cannot be had; the message says why.
        """
        require_text("deps.add() package", package)
        before = wire_items((yield Request("deps.list", {})))
        arrivals = Arrivals(self._site_packages)
        reply = yield Request("deps.add", {"package": package}, arrivals.hear)
        try:
            return arrivals.install_added(reply)
        except DepsError:
            # The page remembered it before anyone could know that it does not install.
            with suppress(RPCError):
                yield from self._restore(package, [str(spec) for spec in before])
            raise

    @operation
    def list(self) -> Steps[Specs]:
        """The specifications of all packages of the session."""
        found = yield Request("deps.list", {})
        return [str(item) for item in wire_items(found)]

    @operation
    def remove(self, package: str) -> Steps[bool]:
        """Forget a package; False when it was not one of the session's. It stays importable."""
        require_text("deps.remove() package", package)
        return (yield Request("deps.remove", {"package": package})) is True

    @operation
    def sync(self) -> Steps[SyncResult]:
        """Install every package of the session that is not installed yet.

        One that fails does not keep the others from being installed; ``reasons``
        of the result says why.
        """
        arrivals = Arrivals(self._site_packages)
        return arrivals.install_found((yield Request("deps.sync", {}, arrivals.hear)))

    @override
    def __repr__(self) -> str:
        return f"<DepsNamespace: {len(self.list.call_sync())} package(s) configured>"

    def _restore(self, package: str, before: Specs) -> Steps[None]:
        """Forget a package, or remember it as it was."""
        name = package_of(package)
        previous = next((spec for spec in before if package_of(spec) == name), None)
        if previous is None:
            yield Request("deps.remove", {"package": package})
        else:
            yield Request("deps.add", {"package": previous})


def provide(bridge: Caller, modules: Sequence[Mapping[str, str]]) -> list[str]:
    """Have the page provide packages for modules that code is about to import.

    Returns:
        What to tell of those that a source has and that were not installed.
    """
    try:
        arrivals = Arrivals()
        wanted: dict[str, object] = {"modules": [dict(module) for module in modules]}
        reply = bridge.request("deps.provide", wanted, arrivals.hear)
        reasons = arrivals.install_found(reply)["reasons"]
    except RPCError as error:
        reasons = {module["package"]: str(error) for module in modules}
    return [f"{spec} was not installed: {reason}" for spec, reason in reasons.items()]


def import_hint(name: str, lockfile_imports: Mapping[str, str], trust: str) -> str | None:
    """What to tell the author of an import that failed.

    Args:
        name: The module that was not found.
        lockfile_imports: Pyodide's lockfile: file of the package by top-level module.
        trust: The session's trust level.

    Returns:
        The note for the ``ModuleNotFoundError``; None when there is nothing to add.
    """
    module, _, submodule = name.partition(".")
    if not module.isidentifier() or (submodule and module in sys.modules):
        return None
    if module in sys.stdlib_module_names and module not in lockfile_imports:
        return (
            f"{module} belongs to Python's standard library, but needs what a browser does not "
            "have. No package can add it."
        )
    return f"{_where(module, lockfile_imports.get(module))} {_allowed(trust)}"


def folder_package(name: str, lockfile_imports: Mapping[str, str]) -> str | None:
    """The package that may be in the session's package folder, for a module that is missing.

    The page looks, and says whether it is there. None where no such package would help.
    """
    module, _, submodule = name.partition(".")
    if not module.isidentifier() or (submodule and module in sys.modules):
        return None
    if len(module) > _LONGEST_NAME:
        return None
    wheel = lockfile_imports.get(module)
    if wheel is not None:
        return wheel.partition("-")[0]
    return None if module in sys.stdlib_module_names else module


def package_hint(spec: str, lockfile_imports: Mapping[str, str]) -> str | None:
    """What is known of a package that the package folder does not have.

    Args:
        spec: What was asked for. Authors write the name of the module, too: ``PIL``.
        lockfile_imports: Pyodide's lockfile: file of the package by top-level module.
    """
    match = re.match(r"[\w.-]*", spec)
    package = _plain(match.group() if match else "")
    for module, wheel in lockfile_imports.items():
        if package in {_plain(wheel.partition("-")[0]), _plain(module)}:
            return _where(module, wheel)
    if package in sys.stdlib_module_names:
        return f"{package} belongs to Python's standard library. No package can add it."
    return None


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()


def _where(module: str, wheel: str | None) -> str:
    if wheel is not None:
        package = wheel.partition("-")[0]
        return (
            f"{module} comes with the package {package}, which Pyodide's lockfile has as {wheel}. "
            "To allow it, the page opens the session with `packages`, a folder of the site or "
            f'Pyodide\'s own mirror; then deps.add("{package}") installs it.'
        )
    return (
        f"{module} is not installed, and no package in Pyodide's lockfile provides it. "
        f'deps.add("{module}") installs a wheel of it that a source of the session '
        "(`packages`) has. Use the name of the package if that is another."
    )


def _allowed(trust: str) -> str:
    if trust == "local":
        return (
            "Trust level 'local' lets code use the network, but installs only from those sources."
        )
    return f"Trust level {trust!r} forbids code to download packages itself; only the page can."


__all__ = ["DepsNamespace", "folder_package", "import_hint", "package_hint", "provide"]
