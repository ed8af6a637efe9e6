"""Names of wheels: which package, and whether it runs here."""

from __future__ import annotations

import re
import sys
import sysconfig

from vitrine._errors import DepsError
from vitrine._package_names import canonical_name

_WHEEL_NAME = re.compile(
    r"^(?P<name>[^-]+)-(?P<version>[^-]+)(-\d[^-]*)?"
    r"-(?P<python>[^-]+)-(?P<abi>[^-]+)-(?P<platform>[^-]+)\.whl$"
)


def name_and_version(filename: str) -> tuple[str, str]:
    """The canonical name of a wheel's package, and its version.

    Raises:
        DepsError: It is not the name of a wheel, or of one that is built for something else.
    """
    match = _WHEEL_NAME.match(filename)
    if match is None:
        raise DepsError(f"{filename!r} is not the name of a wheel.")
    pythons, abis, platforms = (match[part].split(".") for part in ("python", "abi", "platform"))
    if not any(
        _runs_here(python, abi, platform)
        for python in pythons
        for abi in abis
        for platform in platforms
    ):
        tag = f"{match['python']}-{match['abi']}-{match['platform']}"
        raise DepsError(
            f"{filename} is built for {tag}. What runs here is built for "
            f"{_own_python()}-{_own_python()}-{_own_platform()} or py3-none-any."
        )
    return canonical_name(match["name"]), match["version"]


def _runs_here(python: str, abi: str, platform: str) -> bool:
    """Whether what is built for this runs in this interpreter (PEP 425)."""
    if platform != "any" and platform != _own_platform():
        return False
    number = re.fullmatch(r"(cp|py)3(\d*)", python)
    if number is None:
        return False
    minor = int(number[2] or 0)
    if abi == "none":
        newest = sys.version_info.minor
        return minor == newest if number[1] == "cp" else minor <= newest
    if number[1] != "cp" or platform == "any":
        return False
    if abi == "abi3":
        return 2 <= minor <= sys.version_info.minor
    return python == abi == _own_python()


def _own_python() -> str:
    return f"cp{sys.version_info.major}{sys.version_info.minor}"


def _own_platform() -> str:
    """The platform of compiled code (PEP 783)."""
    return f"pyemscripten_{sysconfig.get_config_var('PYODIDE_ABI_VERSION')}_wasm32"


__all__ = ["name_and_version"]
