"""What tools return beside text and data: images, sounds, resources."""

from __future__ import annotations

import dataclasses
from typing import Literal, override


@dataclasses.dataclass(frozen=True, slots=True, repr=False)
class Content:
    """A piece of content with a type.

    As the last value of a run, or given to ``display``, it shows itself if it is a picture or text.
    """

    kind: Literal["image", "audio", "resource", "resource_link"]
    mime_type: str | None = None
    data: bytes | str | None = None
    """Bytes, or the text of a text resource. A link has none."""
    uri: str | None = None
    name: str | None = None
    description: str | None = None

    @override
    def __repr__(self) -> str:
        said = [self.kind]
        if self.mime_type is not None:
            said.append(self.mime_type)
        if self.uri is not None:
            said.append(self.uri)
        if isinstance(self.data, bytes):
            said.append(f"{len(self.data):,} bytes")
        elif self.data is not None:
            said.append(f"{len(self.data):,} characters")
        return f"<Content {', '.join(said)}>"

    def _repr_mimebundle_(self) -> dict[str, str | bytes]:
        if self.data is None or self.mime_type is None:
            return {}
        media, _, _ = self.mime_type.partition(";")
        if media.startswith("image/") or (media.startswith("text/") and isinstance(self.data, str)):
            return {media.strip(): self.data}
        return {}
