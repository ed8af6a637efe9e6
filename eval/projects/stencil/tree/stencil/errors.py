"""What can be wrong with a template."""


class TemplateError(Exception):
    """A template that cannot be parsed or rendered."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message if line is None else f"line {line}: {message}")
        self.line = line


class TemplateNotFoundError(TemplateError):
    """There is no template of this name."""

    def __init__(self, name: str, asked_by: str | None) -> None:
        by = "" if asked_by is None else f", which {asked_by} includes"
        super().__init__(f"there is no template {name!r}{by}")
        self.name = name
