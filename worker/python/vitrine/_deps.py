"""The namespace ``deps``: the Python packages of this session."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar, override

from vitrine._arguments import require_text
from vitrine._errors import DepsError, RPCError
from vitrine._operation import Caller, Namespace, Request, Steps, operation
from vitrine._package_names import package_of
from vitrine._records import SyncResult, wire_fields, wire_items, wire_text

if TYPE_CHECKING:
    from vitrine._wheels import Wheel

# Longer names are no packages.
_LONGEST_NAME = 100

# The method called `list` hides the builtin in the annotations of its class.
type Specs = list[str]


class DepsNamespace(Namespace):
    """The packages of this session. Wheels of its package folder can be added."""

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
        reply = yield Request("deps.add", {"package": package})
        try:
            return self._install(reply)
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
        replies = wire_items((yield Request("deps.sync", {})))
        results: list[SyncResult] = []
        for reply in replies:
            fields = wire_fields(reply, "a package")
            reason = fields.get("reason")
            if isinstance(reason, str):
                results.append(SyncResult(reasons={wire_text(fields, "spec"): reason}))
                continue
            try:
                results.append(self._install(reply))
            except DepsError as error:
                results.append(SyncResult(reasons={wire_text(fields, "spec"): str(error)}))
        return _joined(results)

    @override
    def __repr__(self) -> str:
        return f"<DepsNamespace: {len(self.list.call_sync())} package(s) configured>"

    def _install(self, reply: object) -> SyncResult:
        """Install what the page sent, a package and what that needs: all of it, or nothing."""
        fields = wire_fields(reply, "a package")
        spec = wire_text(fields, "spec")
        wheels = _read_wheels(fields.get("wheels"))
        if package_of(spec) not in wheels:
            raise DepsError(f"The page found no wheel of {spec}.")
        return SyncResult([spec]) if self._unpack(wheels) else SyncResult([], [spec])

    def _restore(self, package: str, before: Specs) -> Steps[None]:
        """Forget a package, or remember it as it was."""
        name = package_of(package)
        previous = next((spec for spec in before if package_of(spec) == name), None)
        if previous is None:
            yield Request("deps.remove", {"package": package})
        else:
            yield Request("deps.add", {"package": previous})

    def _unpack(self, wheels: Mapping[str, Wheel]) -> bool:
        """Tells whether anything was installed that was not there in that version."""
        import sysconfig
        from pathlib import Path

        site_packages = Path(self._site_packages or sysconfig.get_path("purelib"))
        changed = [wheel.install(site_packages) for wheel in wheels.values()]
        importlib.invalidate_caches()
        return any(changed)


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
            "To allow it, serve that file, and those of the packages it needs, in the session's "
            f'package folder (`packagesURL`), then call deps.add("{package}").'
        )
    return (
        f"{module} is not installed, and no package in Pyodide's lockfile provides it. "
        f'deps.add("{module}") installs a wheel of it that the session\'s package folder '
        "(`packagesURL`) has. Use the name of the package if that is another."
    )


def _allowed(trust: str) -> str:
    if trust == "local":
        return "Trust level 'local' lets code use the network, but installs only from that folder."
    return f"Trust level {trust!r} forbids code to download packages itself; only the page can."


def _read_wheels(wire: object) -> dict[str, Wheel]:
    from vitrine._wheels import Wheel

    found: dict[str, Wheel] = {}
    for item in wire_items(wire):
        fields = wire_fields(item, "a wheel")
        content = fields.get("bytes")
        if not isinstance(content, bytes):
            raise DepsError("The page sent a wheel without its bytes.")
        wheel = Wheel(wire_text(fields, "filename"), content)
        found[wheel.name] = wheel
    return found


def _joined(results: Iterable[SyncResult]) -> SyncResult:
    collected = list(results)
    return SyncResult(
        (spec for result in collected for spec in result["installed"]),
        (spec for result in collected for spec in result["already_present"]),
        {spec: why for result in collected for spec, why in result["reasons"].items()},
    )


__all__ = ["DepsNamespace", "folder_package", "import_hint", "package_hint"]
