from collections import Counter

from stencil import DictLoader


class CountingLoader(DictLoader):
    """Counts how often each template is loaded."""

    def __init__(self, sources: dict[str, str]) -> None:
        super().__init__(sources)
        self.loaded: Counter[str] = Counter()

    def load(self, name: str) -> str | None:
        self.loaded[name] += 1
        return super().load(name)
