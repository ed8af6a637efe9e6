"""Wheels made in memory, whole or damaged."""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from typing import Any


def wheel(
    name: str,
    version: str = "1.0",
    *,
    files: dict[str, str] | None = None,
    requires: tuple[str, ...] = (),
    tag: str = "py3-none-any",
    unlisted: dict[str, str] | None = None,
    changed: dict[str, str] | None = None,
    compressed: bool = False,
    mode: int = 0,
) -> dict[str, Any]:
    """A wheel as the page sends it.

    Args:
        name: The package, and unless ``files`` says otherwise its one module.
        version: Of the package.
        files: By path in the archive.
        requires: What it says it needs.
        tag: What it is built for.
        unlisted: Files that its RECORD does not know.
        changed: Content that differs from what its RECORD says.
        compressed: Whether its files are deflated.
        mode: What the archive says of each file for the system that unpacks it.
    """
    folder = f"{name}-{version}.dist-info"
    pure = str(tag.endswith("-none-any")).lower()
    needed = "".join(f"Requires-Dist: {line}\n" for line in requires)
    content = {
        **(files if files is not None else {f"{name}.py": f"version = {version!r}\n"}),
        f"{folder}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needed}",
        f"{folder}/WHEEL": f"Wheel-Version: 1.0\nRoot-Is-Purelib: {pure}\n",
    }
    record = "".join(f"{path},{_digest(text)},{len(text)}\n" for path, text in content.items())
    content |= {f"{folder}/RECORD": f"{record}{folder}/RECORD,,\n"}
    content |= (unlisted or {}) | (changed or {})
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        for path, text in content.items():
            info = zipfile.ZipInfo(path)
            info.external_attr = mode
            info.compress_type = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
            file.writestr(info, text.encode("utf-8", "surrogateescape"))
    return {"filename": f"{name}-{version}-{tag}.whl", "bytes": archive.getvalue()}


def _digest(text: str) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest())
    return f"sha256={digest.decode().rstrip('=')}"
