"""Wheels and shared libraries: checked, then unpacked to where Python finds them."""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import sys
import sysconfig
from collections.abc import Buffer, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from vitrine._errors import DepsError
from vitrine._package_names import canonical_name

if TYPE_CHECKING:
    from email.message import Message
    from zipfile import ZipFile, ZipInfo

_MAX_UNPACKED = 512 * 1024 * 1024

# Bytes before the name of each file in an archive.
_LOCAL_HEADER = 30

# Where Pyodide has the shared libraries of packages.
_LIBRARIES = Path("/usr/lib")

# What the interpreter itself has in site-packages. What replaced it would run in the next one,
# unasked.
_OWN = frozenset({"vitrine", "pyodide", "_pyodide"})

_STORED, _DEFLATED = 0, 8

_WHEEL_NAME = re.compile(
    r"^(?P<name>[^-]+)-(?P<version>[^-]+)(-\d[^-]*)?"
    r"-(?P<python>[^-]+)-(?P<abi>[^-]+)-(?P<platform>[^-]+)\.whl$"
)


class Wheel:
    """A wheel that was read and found to be what it says.

    Args:
        filename: As it was published: it tells name, version and what it was built for.
        content: The whole archive.
        verified: Whether its source names its hash and the page has compared it. The digests of its
            RECORD would say nothing more; they are computed slowly here.

    Raises:
        DepsError: It is no wheel, built for something else, damaged, not what its name says, or
            would write elsewhere.
    """

    def __init__(self, filename: str, content: bytes, *, verified: bool = False) -> None:
        self.filename = filename
        self.name, self.version = _name_and_version(filename)
        files = _read_archive(filename, content)
        folder = self._metadata_folder(files)
        _check_wheel_file(filename, files.get(f"{folder}/WHEEL", b""))
        _check_record(filename, files, f"{folder}/RECORD", by_digest=not verified)
        self._check_identity(_headers(files[f"{folder}/METADATA"]))
        files[f"{folder}/INSTALLER"] = b"vitrine\n"
        installed = ((_install_path(name), data) for name, data in files.items())
        self._files = {path: data for path, data in installed if path is not None}
        for path in self._files:
            if _is_own(path):
                raise DepsError(f"{filename} would replace {path}, a part of the interpreter.")

    def install(self, site_packages: Path) -> bool:
        """Unpack the wheel in the place of another version; False when this one is there.

        Raises:
            DepsError: A file could not be written. Nothing of the wheel stays.
        """
        if installed_version(self.name) == self.version:
            return False
        _remove_installed(self.name, site_packages)
        _write_all(
            self.filename, {site_packages / name: data for name, data in self._files.items()}
        )
        return True

    def _check_identity(self, metadata: Message) -> None:
        name, version = metadata.get("Name", ""), metadata.get("Version", "")
        if (canonical_name(name), canonical_name(version)) != (
            self.name,
            canonical_name(self.version),
        ):
            raise DepsError(f"{self.filename} holds {name[:80]} {version[:80]} instead.")

    def _metadata_folder(self, files: Mapping[str, bytes]) -> str:
        for path in files:
            folder, _, file = path.partition("/")
            package = folder.removesuffix(".dist-info").rpartition("-")[0]
            if file == "METADATA" and canonical_name(package) == self.name:
                return folder
        raise DepsError(f"{self.filename} has no metadata of {self.name}.")


class SharedLibraries:
    """An archive of shared libraries, such as Pyodide's lockfile has for packages to link with.

    It has no list of its own: the page has compared its hash with that of the source.

    Args:
        filename: ``name-version.zip``.
        content: The whole archive.
        folder: Where compiled code looks for libraries.

    Raises:
        DepsError: It is damaged, or would write elsewhere.
    """

    def __init__(self, filename: str, content: bytes, folder: Path = _LIBRARIES) -> None:
        self.filename = filename
        name, _, self.version = filename.removesuffix(".zip").rpartition("-")
        self.name = canonical_name(name)
        self._folder = folder
        self._files = _read_archive(filename, content)

    def install(self, site_packages: Path) -> bool:
        """Unpack the libraries; False when they are there.

        Raises:
            DepsError: A file could not be written. Nothing of the archive stays.
        """
        paths = {self._folder / name: data for name, data in self._files.items()}
        if all(path.is_file() and path.stat().st_size == len(data) for path, data in paths.items()):
            return False
        _write_all(self.filename, paths)
        return True


type Package = Wheel | SharedLibraries


def read_package(filename: str, content: bytes, *, verified: bool = False) -> Package:
    """Read a file of a package, by what its name says that it is.

    Args:
        filename: As it was published.
        content: The whole archive.
        verified: Whether the page has compared its hash with the one that its source names.

    Raises:
        DepsError: It is not what it says.
    """
    if filename.endswith(".zip"):
        return SharedLibraries(filename, content)
    return Wheel(filename, content, verified=verified)


def install_wheel(filename: str, content: Buffer, verified: bool) -> str | None:
    """Unpack a package into this interpreter. Tells what went wrong; None when nothing did."""
    try:
        package = read_package(filename, bytes(content), verified=verified)
        package.install(Path(sysconfig.get_path("purelib")))
    except DepsError as error:
        return str(error)
    importlib.invalidate_caches()
    return None


def _write_all(filename: str, files: Mapping[Path, bytes]) -> None:
    written: list[Path] = []
    folders: set[str] = set()
    try:
        # Plain calls of the system: for a package of many small files less than half the time.
        for path, data in files.items():
            name = os.fspath(path)
            folder = os.path.dirname(name)
            if folder not in folders:
                os.makedirs(folder, exist_ok=True)
                folders.add(folder)
            written.append(path)
            _write(name, data)
    except OSError as error:
        for path in written:
            # One that could not be written may be a folder.
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
        raise DepsError(f"{filename} could not be unpacked: {error}") from None


def _write(name: str, data: bytes) -> None:
    file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file, rest) :]
    finally:
        os.close(file)


def installed_version(name: str) -> str | None:
    """The version of an installed package; None when it is not installed."""
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _name_and_version(filename: str) -> tuple[str, str]:
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


def _read_archive(filename: str, content: bytes) -> dict[str, bytes]:
    import io
    import zipfile
    import zlib

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            if sum(info.file_size for info in infos) > _MAX_UNPACKED:
                raise DepsError(f"{filename} unpacks to more than {_MAX_UNPACKED} bytes.")
            for info in infos:
                _check_path(filename, info.filename)
                if info.compress_type not in {_STORED, _DEFLATED}:
                    raise DepsError(f"{filename} is packed in a way that wheels are not.")
            return {info.filename: _read_entry(archive, info, content) for info in infos}
    except DepsError:
        raise
    # Of a file with a password, RuntimeError.
    except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, OSError, ValueError) as error:
        raise DepsError(f"{filename} is not a readable archive: {error}") from None


def _read_entry(archive: ZipFile, info: ZipInfo, content: bytes) -> bytes:
    """Read a file of an archive in one go, which takes a third of the time of ``archive.read``."""
    import zipfile
    import zlib

    if info.flag_bits & 1:
        # It is encrypted, and zipfile says so.
        return archive.read(info)
    header = content[info.header_offset : info.header_offset + _LOCAL_HEADER]
    if len(header) != _LOCAL_HEADER or not header.startswith(b"PK\3\4"):
        raise zipfile.BadZipFile(f"{info.filename!r} has no header")
    name_length = int.from_bytes(header[26:28], "little")
    begin = info.header_offset + _LOCAL_HEADER
    encoding = "utf-8" if info.flag_bits & 0x800 else "cp437"
    if content[begin : begin + name_length] != info.orig_filename.encode(encoding):
        raise zipfile.BadZipFile(f"{info.filename!r} has another name in its header")
    begin += name_length + int.from_bytes(header[28:30], "little")
    data = content[begin : begin + info.compress_size]
    if info.compress_type == _DEFLATED:
        # No more than it says: a small archive may unpack to anything.
        data = zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, info.file_size + 1)
    if len(data) != info.file_size or zlib.crc32(data) != info.CRC:
        raise zipfile.BadZipFile(f"{info.filename!r} is not what its checksum says")
    return data


def _check_path(filename: str, name: str) -> None:
    # Without empty parts: what follows "x.data/purelib/" must be no path from the root.
    if {"", ".", ".."} & set(name.split("/")) or any(letter in name for letter in "\\\0:"):
        raise DepsError(f"{filename} holds {name!r}, a path out of its folder.")


def _check_wheel_file(filename: str, content: bytes) -> None:
    fields = _headers(content)
    if fields.get("Wheel-Version", "").partition(".")[0] != "1":
        raise DepsError(f"{filename} is of a wheel version that is not known here.")
    # Where files go is the same for both here.
    if fields.get("Root-Is-Purelib", "").lower() not in {"true", "false"}:
        raise DepsError(f"{filename} does not say whether it is pure Python.")


def _headers(content: bytes) -> Message:
    from email.parser import BytesParser

    return BytesParser().parsebytes(content)


def _check_record(
    filename: str, files: Mapping[str, bytes], record: str, *, by_digest: bool
) -> None:
    """Compare every file with the wheel's own list: its digest there, or its size alone."""
    import base64
    import csv
    import hashlib

    if record not in files:
        raise DepsError(f"{filename} has no RECORD.")
    try:
        rows = [row for row in csv.reader(files[record].decode().splitlines()) if row[1:]]
    except (UnicodeDecodeError, csv.Error) as error:
        raise DepsError(f"{filename} has a RECORD that cannot be read: {error}") from None
    digests = {row[0]: row[1] for row in rows}
    sizes = {row[0]: row[2] for row in rows if row[2:]}
    for name, data in files.items():
        algorithm, _, expected = digests.get(name, "").partition("=")
        if name == record or name.removeprefix(record) in (".jws", ".p7s"):
            continue
        if name not in digests:
            raise DepsError(f"{filename} holds {name!r}, which its RECORD does not list.")
        if algorithm not in {"sha256", "sha384", "sha512"}:
            raise DepsError(f"{filename} gives no safe digest for {name!r}.")
        if not by_digest:
            if sizes.get(name, "") not in {"", str(len(data))}:
                raise DepsError(f"{filename} is damaged: {name!r} differs from its RECORD.")
            continue
        actual = base64.urlsafe_b64encode(hashlib.new(algorithm, data).digest())
        if actual.decode().rstrip("=") != expected.rstrip("="):
            raise DepsError(f"{filename} is damaged: {name!r} differs from its RECORD.")


def _is_own(path: str) -> bool:
    """Whether a file in site-packages is of the interpreter."""
    return path.partition("/")[0].partition(".")[0] in _OWN


def _install_path(name: str) -> str | None:
    """Where a file of the archive belongs in site-packages; None for scripts and the like."""
    first, _, rest = name.partition("/")
    if not first.endswith(".data"):
        return name
    scheme, _, path = rest.partition("/")
    return path if scheme in ("purelib", "platlib") and path else None


def _remove_installed(name: str, site_packages: Path) -> None:
    from importlib import metadata

    try:
        files = metadata.distribution(name).files or []
    except metadata.PackageNotFoundError:
        return
    root = site_packages.resolve()
    for file in files:
        path = Path(str(file.locate())).resolve()
        if path.is_relative_to(root) and not _is_own(path.relative_to(root).as_posix()):
            path.unlink(missing_ok=True)
